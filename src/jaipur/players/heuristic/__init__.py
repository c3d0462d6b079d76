"""Players with hand-written heuristics or linear evaluation. They need only the standard library."""
