"""Worker processes that choose the moves of computer players."""
