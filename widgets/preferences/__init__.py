"""What a person prefers: pages beside a list of them; settings, limits, keys."""

from stepscope.widgets.preferences.keyboard_page import KeyboardPage, KeyRow
from stepscope.widgets.preferences.keyboard_picture import KeyCap, KeyState
from stepscope.widgets.preferences.limits import LimitRow, LimitsPage
from stepscope.widgets.preferences.settings_page import SettingKind, SettingRow, SettingRowsPage
from stepscope.widgets.preferences.view import PreferencesView

__all__ = [
    "KeyCap",
    "KeyRow",
    "KeyState",
    "KeyboardPage",
    "LimitRow",
    "LimitsPage",
    "PreferencesView",
    "SettingKind",
    "SettingRow",
    "SettingRowsPage",
]
