"""Many steps at once as tiles."""
