"""Players that evaluate moves with a neural network. They need NumPy."""
