"""Predictors of the order of steps."""
