"""Views of Replay alone; screen, timeline, inspector and tree are shared with others."""
