"""Work on many machines at once, by Ray: what a person chooses, the way there, data on its way, and who does what."""
