"""The settings that are one field of the preferences each: where they stand, their words, and how they are shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from stepscope.app.gui.shell.preferences import TEXT_PERCENTS, Preferences
from stepscope.core.frozen import dataclass
from stepscope.core.imaging.palette import RUN_COLOURS
from stepscope.widgets.preferences import SettingKind, SettingRow

APPEARANCE, MARKS, REPLAY, EVALUATION, DEVICES, STORAGE = (
    "Appearance", "Marks", "Replay", "Evaluation", "Devices", "Data and storage"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PreferenceSetting:
    """A setting on a page: `field` of the preferences holds its value. The rest is as in `SettingRow`."""

    page: str
    group: str
    field: str
    words: str
    about: str
    kind: SettingKind
    choices: tuple[tuple[object, str], ...] = ()

    def row(self, chosen: Preferences) -> SettingRow:
        """The setting as it is now."""
        value, usual = getattr(chosen, self.field), getattr(Preferences(), self.field)
        return SettingRow(
            self.field,
            self.group,
            self.words,
            self.about,
            self.kind,
            self._shown(value),
            value == usual,
            self.choices,
        )

    def kept(self, shown: Any) -> object:
        """What the preferences keep for a value as a person chose it."""
        if self.kind is SettingKind.COLOURS:
            return () if tuple(shown) == RUN_COLOURS else tuple(shown)
        if self.kind is SettingKind.TEXT and isinstance(getattr(Preferences(), self.field), tuple):
            return tuple(part.strip() for part in str(shown).split(",") if part.strip())
        return str(shown).strip() if self.kind is SettingKind.TEXT else shown

    def _shown(self, value: Any) -> object:
        if self.kind is SettingKind.COLOURS:
            return value or RUN_COLOURS
        return ", ".join(value) if self.kind is SettingKind.TEXT and isinstance(value, tuple) else value


SETTINGS = (
    PreferenceSetting(
        APPEARANCE, "", "theme", "Theme", "System follows the desktop, also while the window is open.",
        SettingKind.CHOICE,
        (("system", "System"), ("light", "Light"), ("dark", "Dark"), ("high contrast", "High contrast")),
    ),
    PreferenceSetting(
        APPEARANCE, "", "text_percent", "Text size", "Of all text in the window; also Ctrl+= and Ctrl+-.",
        SettingKind.CHOICE, tuple((percent, f"{percent} %") for percent in TEXT_PERCENTS),
    ),
    PreferenceSetting(
        APPEARANCE, "", "compact", "Compact rows",
        "The density of lists, menus and bars: they lie closer, so that more is seen at once.",
        SettingKind.CHECK,
    ),
    PreferenceSetting(
        APPEARANCE, "", "still", "Reduced motion", "Menus and tips come at once instead of fading in; nothing pulses.",
        SettingKind.CHECK,
    ),
    PreferenceSetting(
        APPEARANCE, "Start", "start_page", "Start page when nothing is open",
        "The sample, recent data and runs, the tour. It is always one key away.", SettingKind.CHECK,
    ),
    PreferenceSetting(
        MARKS, "", "run_colours", "Colours of runs A to D",
        "On screens, in lists and in plots; E to H have them again. Shape and letter always tell runs apart too.",
        SettingKind.COLOURS,
    ),
    PreferenceSetting(
        MARKS, "", "mark_percent", "Size of marks", "On the screen in Replay.",
        SettingKind.CHOICE, tuple((percent, f"{percent} %") for percent in (75, 100, 125, 150, 200)),
    ),
    PreferenceSetting(
        REPLAY, "", "neighbours", "Steps before and after", "Small, beside the screen.", SettingKind.CHECK,
    ),
    PreferenceSetting(
        REPLAY, "Playback", "speed", "Speed", "Steps a second; by recorded times, how much faster than recorded.",
        SettingKind.CHOICE, tuple((speed, f"{speed:g} ×") for speed in (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)),
    ),
    PreferenceSetting(
        REPLAY, "Playback", "by_time", "By recorded times",
        "Each step stays as long as it took the person; the timeline's columns are as wide.", SettingKind.CHECK,
    ),
    PreferenceSetting(
        EVALUATION, "", "device", "Compute device", "What new evaluations and trainings begin with.",
        SettingKind.CHOICE, (("auto", "Automatic, a GPU first"), ("cpu", "CPU"), ("cuda:0", "GPU")),
    ),
    PreferenceSetting(
        EVALUATION, "People", "annotator", "Your name",
        "Under which you annotate, judge, order, record and answer pages. None: the name of your account.",
        SettingKind.TEXT,
    ),
    PreferenceSetting(
        EVALUATION, "People", "annotation_blind", "Hide what others answered",
        "What the workers of a web task's data said stays hidden until you have submitted the page.",
        SettingKind.CHECK,
    ),
    PreferenceSetting(
        DEVICES, "Agents", "asking_words", "Ask before touching",
        "Words, with commas between: an agent asks before it touches what has one of them. None: the usual ones, "
        "such as pay, send and delete.", SettingKind.TEXT,
    ),
    PreferenceSetting(
        DEVICES, "Agents", "asking_apps", "Ask in these apps",
        "Packages, with commas between, in which an agent asks before everything.", SettingKind.TEXT,
    ),
    PreferenceSetting(
        DEVICES, "Agents", "question_limit", "Questions of a task",
        "That an agent puts by itself. Behind them it is told to go on without an answer, and stopped if it asks "
        "again.", SettingKind.CHOICE, tuple((number, f"{number}") for number in (0, 1, 2, 3, 5, 10, 20, 50)),
    ),
    PreferenceSetting(
        DEVICES, "Network", "addresses", "Phones on the network",
        "Addresses with commas between (192.168.1.20:5555) that Live lists.", SettingKind.TEXT,
    ),
    PreferenceSetting(
        STORAGE, "In memory", "cache_megabytes", "Decoded pictures", "So that stepping back needs no decoding.",
        SettingKind.CHOICE, tuple((size, f"{size:,} MB") for size in (128, 256, 512, 1024, 2048, 4096, 8192)),
    ),
)  # fmt: skip
"""In the order of their pages."""


def setting(field: str) -> PreferenceSetting:
    """The setting that this field of the preferences holds. Raises StopIteration when there is none."""
    return next(one for one in SETTINGS if one.field == field)


def rows_of(page: str, chosen: Preferences, devices: Iterable[str] = ()) -> list[SettingRow]:
    """The settings of a page. `devices` are those compute devices that are here, where known: others are not offered,
    unless chosen."""
    known = {*devices, "auto", "cpu", chosen.device}
    found = []
    for one in SETTINGS:
        if one.page == page:
            row = one.row(chosen)
            if one.field == "device":
                row = replace(row, choices=tuple(choice for choice in row.choices if choice[0] in known))
            found.append(row)
    return found
