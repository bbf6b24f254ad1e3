"""Recorded actions scored against themselves: `ReferencesPage`, and the values that it shows."""
