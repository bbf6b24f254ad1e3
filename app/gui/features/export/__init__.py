"""Exports of runs, lists and episodes."""
