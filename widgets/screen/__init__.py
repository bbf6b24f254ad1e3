"""The screen: a step's picture with its marks, between the pictures before and after it."""
