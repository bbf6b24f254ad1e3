"""The command palette.

CommandPalette: lies over a window, emits chosen(kind, id); PaletteRow: what it offers; PaletteField: opens it.
"""

from stepscope.widgets.palette.field import PaletteField
from stepscope.widgets.palette.values import PaletteRow
from stepscope.widgets.palette.view import CommandPalette

__all__ = ["CommandPalette", "PaletteField", "PaletteRow"]
