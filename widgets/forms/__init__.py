"""Pieces of forms that several features have: rows of label and field, fields of options, what may be chosen. Each is
imported from its own module."""
