"""Encoders: texts to vectors, for measures and for search."""
