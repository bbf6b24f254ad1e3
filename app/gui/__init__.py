"""The window: docks, declared commands, one controller per feature."""
