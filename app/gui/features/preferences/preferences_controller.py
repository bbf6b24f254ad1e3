"""Preferences: fills the pages, makes changes that count at once and can be taken back."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices

from stepscope.app.gui.features.preferences.change_history import ChangeHistory, PreferenceChange
from stepscope.app.gui.features.preferences.key_words import PLACES
from stepscope.app.gui.features.preferences.keyboard_controller import KeyboardController
from stepscope.app.gui.features.preferences.limit_rows import GROUPS_ORDER, limit_row
from stepscope.app.gui.features.preferences.privacy_rows import (
    CONSENT,
    ELSEWHERE,
    NEVER_SENT,
    SENT,
    PrivacyState,
    fact_row,
    privacy_rows,
    privacy_state,
)
from stepscope.app.gui.features.preferences.redactions_controller import RedactionsController
from stepscope.app.gui.features.preferences.settings import (
    APPEARANCE,
    DEVICES,
    EVALUATION,
    MARKS,
    REPLAY,
    STORAGE,
    rows_of,
    setting,
)
from stepscope.app.gui.shell.commands.bar import CommandBar
from stepscope.app.gui.shell.context import Context
from stepscope.app.gui.shell.preferences import Preferences
from stepscope.app.services import storage
from stepscope.app.services.storage import StoredPart
from stepscope.core import limits
from stepscope.core.errors import UserError
from stepscope.core.progress import CancelToken
from stepscope.models.chat import consents, privacy
from stepscope.widgets.format import byte_words
from stepscope.widgets.preferences import (
    KeyboardPage,
    LimitsPage,
    PreferencesView,
    SettingRow,
    SettingRowsPage,
)

KEYBOARD, MODELS, LIMITS, PRIVACY = "Keyboard", "Models and servers", "Limits", "Privacy"
ICONS = {
    APPEARANCE: "theme", KEYBOARD: "key", MARKS: "tap", REPLAY: "replay", EVALUATION: "results", MODELS: "simulated",
    DEVICES: "device", STORAGE: "save", LIMITS: "filter", PRIVACY: "login",
}  # fmt: skip
ABOUT = {
    PRIVACY: "Nothing leaves this machine but what is listed here. The program sends no reports, and looks for no "
    "updates.",
    STORAGE: "What can be made again is a cache, and can be cleaned at any time.",
}
COMMANDS = {"loaded models": "models.list", "chat servers": "models.servers", "connect": "device.connect"}
"""What the button of a fact does, where that is a command."""
PICTURES = "pictures in memory"


class PreferencesController(QObject):
    """`bar` does what buttons lead to."""

    def __init__(self, context: Context, view: PreferencesView, bar: CommandBar) -> None:
        super().__init__(context)
        self._context, self._view, self._bar = context, view, bar
        self.history = ChangeHistory()
        self._parts: list[StoredPart] | None = None
        self._privacy: PrivacyState | None = None
        self._request = 0
        self._settings: dict[str, SettingRowsPage] = {}
        self._limits = LimitsPage()
        self._keyboard = KeyboardPage(tuple(PLACES.items()))
        for page, icon in ICONS.items():
            view.add_page(page, icon, self._page(page))
        self.redactions = RedactionsController(context, self)
        self.redactions.changed.connect(self._look_up)
        self.keyboard = KeyboardController(context, self._keyboard, bar, self.change)
        self._limits.written.connect(self._write_limit)
        self._limits.reset.connect(self._reset_limits)
        view.undone.connect(self.undo)
        view.redone.connect(self.redo)
        context.preferences_changed.connect(self.refresh)
        self.refresh()
        self.keyboard.refresh()

    def _page(self, name: str) -> SettingRowsPage | LimitsPage | KeyboardPage:
        if name == KEYBOARD:
            return self._keyboard
        if name == LIMITS:
            return self._limits
        page = self._settings[name] = SettingRowsPage(name, ABOUT.get(name, ""))
        page.changed.connect(self._set)
        page.reset.connect(partial(self._reset, name))
        page.pressed.connect(self._press)
        return page

    def enter(self) -> None:
        """The page has come to the front: what is on the disk may be other than the last time."""
        self.refresh()
        self._look_up()
        self._view.setFocus()

    def show_setting(self, name: str) -> None:
        """Bring the page to the front where this setting stands, and give it the keyboard."""
        page = LIMITS if name in limits.LIMITS else setting(name).page
        self._view.search.empty()
        self._view.show_page(page)
        (self._limits.field(name) if page == LIMITS else self._settings[page].control(name)).setFocus()

    def show_keys(self) -> None:
        """Bring the page of keys to the front."""
        self._view.show_page(KEYBOARD)

    # Changes ---------------------------------------------------------------------------------------------------------

    def change(self, words: str, changes: Mapping[str, Any]) -> None:
        """Make a change that can be taken back; nothing where it is none."""
        before = {name: self._now(name) for name in changes}
        if before != dict(changes):
            self.history.add(PreferenceChange(words, before, dict(changes)))
            self._put(changes)

    def undo(self) -> None:
        if (change := self.history.undo()) is not None:
            self._put(change.before)

    def redo(self) -> None:
        if (change := self.history.redo()) is not None:
            self._put(change.after)

    def _put(self, changes: Mapping[str, Any]) -> None:
        self._context.prefer(**changes)

    def _now(self, name: str) -> object:
        """A field as it is in force; limits may come from the command line."""
        if name == "limits":
            return tuple(limits.chosen_limits().items())
        return getattr(self._context.preferences, name)

    def _set(self, name: str, value: object) -> None:
        found = setting(name)
        self.change(found.words, {name: found.kept(value)})

    def _reset(self, page: str, names: tuple[str, ...]) -> None:
        usual = Preferences()
        words = setting(names[0]).words if len(names) == 1 else page
        self.change(f"{words} as usual", {name: getattr(usual, name) for name in names})

    def _write_limit(self, name: str, text: str) -> None:
        try:
            value = limits.parsed_figure(name, text)
        except UserError as error:
            self._limits.refuse(name, str(error))
            return
        self._choose_limits(limits.LIMITS[name].words, {**limits.chosen_limits(), name: value})

    def _reset_limits(self, names: tuple[str, ...]) -> None:
        left = {name: value for name, value in limits.chosen_limits().items() if name not in names}
        self._choose_limits("Limits as usual", left)

    def _choose_limits(self, words: str, chosen: Mapping[str, int]) -> None:
        usual = {name: limit.value for name, limit in limits.LIMITS.items()}
        self.change(words, {"limits": tuple((name, value) for name, value in chosen.items() if value != usual[name])})

    # Showing ---------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show everything as it is now."""
        chosen = self._context.preferences
        devices = ("cuda:0",) if self._context.conditions.holds("gpu") else ()
        for name, page in self._settings.items():
            rows = rows_of(name, chosen, devices) + self._facts(name)
            page.show_rows(rows)
            changed = sum(not row.is_usual for row in rows)
            self._view.tell(name, self._waits(name) or (f"{changed} changed" if changed else ""))
        bounds = sorted(map(limit_row, limits.LIMITS.values()), key=lambda row: GROUPS_ORDER.index(row.group))
        self._limits.show_rows(bounds)
        changed = sum(not row.is_usual for row in bounds)
        self._view.tell(LIMITS, f"{changed} changed" if changed else "")
        self._view.tell(KEYBOARD, f"{len(chosen.keys)} changed" if chosen.keys else "")
        self._view.set_undo(f"Takes back: {self.history.words}" if self.history.words else "")

    def _waits(self, page: str) -> str:
        if page == STORAGE and self._parts:
            caches = sum(part.bytes for part in self._parts if part.can_clean)
            return byte_words(caches) if caches else ""
        if page == PRIVACY and self._privacy is not None:
            others = sum(not one.is_here for one in self._privacy.destinations)
            return f"{others} elsewhere" if others else ""
        return ""

    def _facts(self, page: str) -> list[SettingRow]:
        match page:
            case "Models and servers":
                return [
                    fact_row("loaded models", "Models", "Models that are here, their cards and scores.", "", "Show"),
                    fact_row(
                        "chat servers", "Chat servers", "Servers whose models can be asked. Keys are kept in the "
                        "keyring of this machine, never in files.", "", "Show",
                    ),
                ]  # fmt: skip
            case "Devices":
                return [fact_row("connect", "Phones", "Over USB, the network, or the simulated phone.", "", "Connect…")]
            case "Data and storage":
                return self._storage_facts()
            case "Privacy":
                return [] if self._privacy is None else privacy_rows(self._privacy)
        return []

    def _storage_facts(self) -> list[SettingRow]:
        used = self._context.cache.statistics
        facts = [
            fact_row(PICTURES, "Decoded pictures now", "", byte_words(used.bytes), "Clean", "In memory"),
        ]
        if self._parts is None:
            return [*facts, fact_row("counting", "Counting files…", "", "", "", "On the disk")]
        return facts + [
            fact_row(
                part.name, part.words, f"{part.about} {part.path}", byte_words(part.bytes),
                "Clean" if part.can_clean else "Show Folder", "Caches" if part.can_clean else "On the disk",
            )
            for part in self._parts
        ]  # fmt: skip

    def _look_up(self) -> None:
        self._request += 1
        request, url = self._request, self._context.places.store_url
        devices = self._context.preferences.addresses

        def ask(token: CancelToken) -> tuple[list[StoredPart], PrivacyState]:
            return storage.stored_parts(url, token), privacy_state(url, devices)

        def show(found: tuple[list[StoredPart], PrivacyState]) -> None:
            if request == self._request:
                self._parts, self._privacy = found
                self.refresh()

        self._context.start("count what is kept", ask, show, priority=-1)

    def _press(self, name: str) -> None:
        if name in COMMANDS:
            self._bar.run(COMMANDS[name])
        elif name == PICTURES:
            self._context.pictures.clear()
            self.refresh()
        elif name == ELSEWHERE:
            self._allow_elsewhere()
        elif name == NEVER_SENT:
            self.redactions.open()
        elif name.startswith(CONSENT):
            self._withdraw(int(name.removeprefix(CONSENT)))
        elif name == SENT:
            self._show_folder(privacy.log_file())
        else:
            part = next(part for part in self._parts or () if part.name == name)
            if part.can_clean:
                self._clean(part)
            else:
                self._show_folder(part.path)

    def _allow_elsewhere(self) -> None:
        """Refuse every server that is not on this machine, or allow them again."""
        wanted = self._privacy is not None and not self._privacy.only_here
        self._context.start(
            "keep the choice", lambda _token: privacy.allow_only_here(wanted), lambda _none: self._look_up(),
            lane="writer",
        )  # fmt: skip

    def _withdraw(self, number: int) -> None:
        """Take back what was agreed: before these recordings go to that server again, the person is asked again."""
        assert self._privacy is not None and self._privacy.agreed is not None
        one = self._privacy.agreed[number]
        self._context.start(
            "withdraw a consent", lambda _token: consents.withdraw(Path(one.data), one.server),
            lambda _gone: self._look_up(), lane="writer",
        )  # fmt: skip

    def _clean(self, part: StoredPart) -> None:
        if self._context.conditions.holds("run_active"):
            self._context.messages.warning("It may use this cache: try again when it has ended.", title="A run works.")
            return

        def tell(freed: int) -> None:
            self._context.messages.done(f"{part.words}: {byte_words(freed)} given back.")
            self._look_up()

        self._context.start("clean a cache", lambda _token: storage.clean(part.name), tell)

    def _show_folder(self, path: Path) -> None:
        folder = path if path.is_dir() else path.parent
        if not folder.is_dir() or not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
            self._context.messages.info(str(folder), title="The folder is")
