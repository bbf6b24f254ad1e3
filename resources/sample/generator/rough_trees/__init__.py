"""Trees of the sample apps made like those of real apps: unflagged, wrapped, doubled, unnamed, of other toolkits."""
