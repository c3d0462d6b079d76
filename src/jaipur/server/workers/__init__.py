"""Worker processes that compute the moves of computer players."""
