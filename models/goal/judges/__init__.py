"""Judges of two descriptions of one trajectory: by rules, and by a model that is asked."""
