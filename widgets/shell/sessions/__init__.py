"""The sessions that were saved under a name, to open one or delete it."""

from stepscope.widgets.shell.sessions.view import SessionLine, SessionsView

__all__ = ["SessionLine", "SessionsView"]
