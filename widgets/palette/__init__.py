"""The command palette.

CommandPalette: lies over a window, emits chosen(kind, id); PaletteRow: what it offers.
"""

from widgets.palette.values import PaletteRow
from widgets.palette.view import CommandPalette

__all__ = ["CommandPalette", "PaletteRow"]
