"""Predictors of whether a goal can be reached."""
