"""Predictors that fill in web pages."""
