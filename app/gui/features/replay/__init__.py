"""Replay: the shown episode and step, the screen and what is drawn over it."""
