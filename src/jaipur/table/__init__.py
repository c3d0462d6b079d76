"""One live game: commands, events, state, clock, and the messages for each seat. This package does no I/O."""
