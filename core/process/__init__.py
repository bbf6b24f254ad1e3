"""Child processes: how much memory they may take."""
