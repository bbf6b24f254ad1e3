"""Child processes: how they are started, spoken to and ended, and how much memory they may take."""
