"""Predictors of whether to ask, and what."""
