"""Goals from which something was left out: read, checked and corrected by people."""
