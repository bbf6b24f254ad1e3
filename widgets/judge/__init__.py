"""Pairs of descriptions of one trajectory, judged by people and by models."""
