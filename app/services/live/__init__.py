"""Live devices joined to recordings, models and the store. No Qt."""
