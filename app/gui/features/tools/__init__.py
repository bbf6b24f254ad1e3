"""Pages that are looked up: tasks, defects, agreement, performance, licences, this machine."""
