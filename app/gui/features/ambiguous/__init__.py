"""Review: goals from which something was left out, made, read and corrected by several people, and written out."""
