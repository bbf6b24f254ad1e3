"""Models that were trained here: a recipe, weights with a card, and a predictor that joins them."""
