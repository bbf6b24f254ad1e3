"""One module per schema: `v0001_initial` makes the first."""
