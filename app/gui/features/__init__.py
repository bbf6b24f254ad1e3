"""The features of the window, each in a folder of its own. None imports another."""
