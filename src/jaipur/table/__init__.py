"""One live game without I/O: commands, events, state, clock, and the messages for each seat."""
