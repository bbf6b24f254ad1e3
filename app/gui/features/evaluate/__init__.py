"""Evaluate: runs from the form to the store."""
