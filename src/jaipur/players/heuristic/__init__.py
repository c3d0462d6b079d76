"""Players that follow hand-written rules of thumb. They import the standard library only."""
