"""Campaigns: who demonstrates which goal, and what came of it."""
