"""Annotations of steps and episodes by a person."""
