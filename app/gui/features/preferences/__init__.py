"""Preferences: settings, keys, limits, what is kept and what leaves the machine."""
