"""Compare: the shown runs against each other, step by step."""
