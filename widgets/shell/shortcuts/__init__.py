"""The page of shortcuts.

ShortcutPage: grouped and searchable; ShortcutRow: one key and what it does.
"""

from stepscope.widgets.shell.shortcuts.view import ShortcutPage, ShortcutRow

__all__ = ["ShortcutPage", "ShortcutRow"]
