"""Players that search trees over sampled worlds."""
