"""Predictors of the goal behind a trajectory."""
