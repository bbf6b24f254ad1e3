"""The command palette.

CommandPalette: lies over a window, emits chosen(kind, id); PaletteRow: what it offers; PaletteField: opens it.
"""

from stepscope.widgets.shell.palette.field import PaletteField
from stepscope.widgets.shell.palette.palette_row import PaletteRow
from stepscope.widgets.shell.palette.view import CommandPalette

__all__ = ["CommandPalette", "PaletteField", "PaletteRow"]
