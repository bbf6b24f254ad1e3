"""A person's own model files: what a file tells of itself, the manifest with the rest, and the predictor over both."""
