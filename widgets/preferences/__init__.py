"""What a person prefers: pages beside a list of them, and the page of limits."""

from widgets.preferences.limits import LimitRow, LimitsPage
from widgets.preferences.view import PreferencesView

__all__ = ["LimitRow", "LimitsPage", "PreferencesView"]
