"""The colours of the chrome. Marks on screenshots never use them (they have `core.imaging.palette`).

The current theme is one frozen value. Code that paints by hand asks `current()` while painting and repaints when
`notifier().changed` fires.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from stepscope.core.frozen import dataclass

READABLE = 4.5
"""Contrast that text needs (WCAG 2.2, 1.4.3)."""
COMPACT = 0.5
"""Of the usual padding of rows, where rows lie closer."""


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

    def with_run_colours(self, colours: Sequence[str]) -> Theme:
        """The same with these four ("#RRGGBB") for runs A to D, each as far changed as words in it need to be read."""
        a, b, c, d = (_readable(colour, self.panel, self.text) for colour in colours)
        return replace(self, run_a=a, run_b=b, run_c=c, run_d=d)

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
    is_compact: bool = False
    is_still: bool = True
    notifier: ThemeNotifier | None = None


def current() -> Theme:
    """The theme in force."""
    return _CurrentTheme.theme


def is_still() -> bool:
    """Whether nothing shall move by itself."""
    return _CurrentTheme.is_still


def notifier() -> ThemeNotifier:
    """The one notifier; made on first use, on the GUI thread."""
    if _CurrentTheme.notifier is None:
        _CurrentTheme.notifier = ThemeNotifier()
    return _CurrentTheme.notifier


def set_current(theme: Theme, *, compact: bool = False, still: bool = True) -> None:
    """Bring `theme` into force, rows that lie closer where `compact`, and rings that move unless `still`, and tell
    everyone who listens."""
    _CurrentTheme.theme, _CurrentTheme.is_compact, _CurrentTheme.is_still = theme, compact, still
    notifier().changed.emit()


def padding(pixels: int) -> int:
    """Room above and below what stands in a row, as the density in force has it."""
    return round(pixels * COMPACT) if _CurrentTheme.is_compact else pixels


def contrast(one: str, other: str) -> float:
    """Contrast of two colours "#RRGGBB", 1 to 21 (WCAG 2.2, contrast ratio)."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = (part / 255 for part in _parts(colour))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _readable(colour: str, ground: str, text: str) -> str:
    """The colour, mixed with that of text until it stands out 4.5 to 1 from the ground."""
    for step in range(11):
        mixed = "#" + "".join(
            f"{round(own + (towards - own) * step / 10):02X}"
            for own, towards in zip(_parts(colour), _parts(text), strict=True)
        )
        if contrast(mixed, ground) >= READABLE:
            return mixed
    return text


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
