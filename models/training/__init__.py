"""Training of the project's own small models. Imports torch only inside functions."""
