"""The command palette.

CommandPalette: lies over a window, emits chosen(kind, id); PaletteRow: what it offers; PaletteField: opens it.
"""

from widgets.palette.field import PaletteField
from widgets.palette.values import PaletteRow
from widgets.palette.view import CommandPalette

__all__ = ["CommandPalette", "PaletteField", "PaletteRow"]
