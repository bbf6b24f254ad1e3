"""Predictors. ML only, never Qt; loaded by name through the registry."""
