"""What a person prefers: pages beside a list of them, and the page of limits."""

from stepscope.widgets.shell.preferences.limits import LimitRow, LimitsPage
from stepscope.widgets.shell.preferences.view import PreferencesView

__all__ = ["LimitRow", "LimitsPage", "PreferencesView"]
