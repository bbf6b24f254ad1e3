"""Frozen values of the field's own words (docs/glossary.md). Knows nothing of files, databases or windows."""
