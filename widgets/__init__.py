"""Reusable views: values and callables in, signals out. No store, no models, no device, no sources."""
