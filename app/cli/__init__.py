"""The headless face; never reaches Qt."""
