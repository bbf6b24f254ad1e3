"""Grid: many wrong steps at once, sorted by their causes."""
