"""Worker processes. They choose the moves of computer players."""
