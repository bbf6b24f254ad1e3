"""The colours of the chrome. Marks on screenshots never use them (they have `core.imaging.palette`).

The current theme is one frozen value. Code that paints by hand asks `current()` while painting and repaints when
`notifier().changed` fires.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal


@dataclass(frozen=True, slots=True)
class Theme:
    """Hex colours by use; run colours are those for panels and plots."""

    name: str
    is_dark: bool
    window: str
    chrome: str
    panel: str
    raised: str
    inset: str
    canvas: str
    line: str
    line2: str
    hover: str
    selection: str
    selection_line: str
    text: str
    secondary: str
    dim: str
    accent: str
    accent_background: str
    accent_text: str
    hit: str
    miss: str
    warn: str
    change: str
    hit_background: str
    miss_background: str
    warn_background: str
    reference: str
    run_a: str
    run_b: str
    run_c: str
    run_d: str

    def run_colour(self, index: int) -> str:
        """Colour of run A (0) to H (7); E to H repeat A to D."""
        return (self.run_a, self.run_b, self.run_c, self.run_d)[index % 4]

    @classmethod
    def dark(cls) -> Theme:
        return DARK

    @classmethod
    def light(cls) -> Theme:
        return LIGHT

    @classmethod
    def high_contrast(cls) -> Theme:
        return HIGH_CONTRAST


DARK = Theme(
    name="dark",
    is_dark=True,
    window="#17191D",
    chrome="#1E2126",
    panel="#202328",
    raised="#282C33",
    inset="#191C20",
    canvas="#121417",
    line="#30353D",
    line2="#272B32",
    hover="#2A2F37",
    selection="#22324E",
    selection_line="#7AA7FF",
    text="#E6E9EE",
    secondary="#AAB2BD",
    dim="#97A0AD",
    accent="#7AA7FF",
    accent_background="#2F66D0",
    accent_text="#FFFFFF",
    hit="#4CC38A",
    miss="#FF7A5C",
    warn="#F2C94C",
    change="#A03CFF",
    hit_background="#1D3229",
    miss_background="#3A2420",
    warn_background="#38301A",
    reference="#4CC9FF",
    run_a="#FFB020",
    run_b="#FF77B7",
    run_c="#9A88FF",
    run_d="#EDF1F5",
)

LIGHT = Theme(
    name="light",
    is_dark=False,
    window="#E7E9ED",
    chrome="#F0F1F4",
    panel="#FBFBFC",
    raised="#FFFFFF",
    inset="#FFFFFF",
    canvas="#D9DCE1",
    line="#CDD2D9",
    line2="#E1E4E9",
    hover="#EBEDF1",
    selection="#DCE7FB",
    selection_line="#1F5CCC",
    text="#1B2027",
    secondary="#4A535F",
    dim="#586170",
    accent="#1F5CCC",
    accent_background="#1F5CCC",
    accent_text="#FFFFFF",
    hit="#0B7249",
    miss="#B8330C",
    warn="#7A5B00",
    change="#9500FF",
    hit_background="#DDF1E7",
    miss_background="#FBE4DD",
    warn_background="#F8EECB",
    reference="#006AB0",
    run_a="#8F4E00",
    run_b="#B80A72",
    run_c="#4B35B8",
    run_d="#2E343D",
)

HIGH_CONTRAST = Theme(
    name="high contrast",
    is_dark=True,
    window="#000000",
    chrome="#000000",
    panel="#000000",
    raised="#101010",
    inset="#000000",
    canvas="#000000",
    line="#8A8F98",
    line2="#6A6F78",
    hover="#1C2A44",
    selection="#123A7A",
    selection_line="#9CC0FF",
    text="#FFFFFF",
    secondary="#F0F2F5",
    dim="#D5DAE1",
    accent="#9CC0FF",
    accent_background="#2F66D0",
    accent_text="#FFFFFF",
    hit="#6FE3A8",
    miss="#FF9C85",
    warn="#FFDD6B",
    change="#B455FF",
    hit_background="#04301D",
    miss_background="#4A1508",
    warn_background="#3A2E00",
    reference="#7BDBFF",
    run_a="#FFC24D",
    run_b="#FF9CCB",
    run_c="#B8ABFF",
    run_d="#FFFFFF",
)


class ThemeNotifier(QObject):
    """Fires `changed` after another theme has come into force."""

    changed = Signal()


class _CurrentTheme:
    theme: Theme = DARK
    notifier: ThemeNotifier | None = None


def current() -> Theme:
    """The theme in force."""
    return _CurrentTheme.theme


def notifier() -> ThemeNotifier:
    """The one notifier; made on first use, on the GUI thread."""
    if _CurrentTheme.notifier is None:
        _CurrentTheme.notifier = ThemeNotifier()
    return _CurrentTheme.notifier


def set_current(theme: Theme) -> None:
    """Bring `theme` into force and tell everyone who listens."""
    _CurrentTheme.theme = theme
    notifier().changed.emit()
