"""Roll-outs: predictors that walk alone, on recorded screens or on a phone."""
