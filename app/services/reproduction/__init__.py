"""Tables of papers made again: what they are, what can be run here, doing so, the table as it is printed."""
