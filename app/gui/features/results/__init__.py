"""Results: runs, their metrics and what they consist of, other rules."""
