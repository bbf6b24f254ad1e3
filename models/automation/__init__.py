"""Next-action predictors."""
