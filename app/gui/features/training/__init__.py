"""Training of models from the window."""
