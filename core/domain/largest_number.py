"""The bound of whole numbers that people choose; light to import, since every option with a number asks for it."""

from __future__ import annotations

LARGEST_NUMBER = 2**31 - 1
"""The largest seed, limit or other count that settings may name: whole numbers of all databases hold it, and so do the
generators of numpy and torch that are seeded with it."""
