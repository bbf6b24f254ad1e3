"""Campaigns: goals, their pairing with apps, assignment, verdicts, exchange as files."""
