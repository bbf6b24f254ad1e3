"""One controller per feature: it connects views with work."""
