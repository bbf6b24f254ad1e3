"""Settings and limits as the palette offers them."""

from __future__ import annotations

from stepscope.app.gui.features.preferences.settings import SETTINGS
from stepscope.core import limits
from stepscope.widgets.shell.palette.palette_row import PaletteRow


def palette_rows() -> list[PaletteRow]:
    """One row each, with the page where it stands."""
    settings = [PaletteRow("setting", one.field, one.words, f"Preferences ▸ {one.page}") for one in SETTINGS]
    bounds = [PaletteRow("setting", one.name, one.words, "Preferences ▸ Limits") for one in limits.LIMITS.values()]
    return [*settings, *bounds]
