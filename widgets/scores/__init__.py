"""Scores as cards, bars, plots, cells and lists by key, which several features show, and the values in them. Each is
imported from its own module: pyqtgraph comes with `plot`."""
