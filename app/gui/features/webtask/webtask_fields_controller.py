"""The fields of the open page: what is in them, what the workers had said, the score and why; and the same on the
page, numbered and outlined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from stepscope.app.gui.features.webtask.webtask_controller import WebTaskController
from stepscope.app.gui.shell.context import Context
from stepscope.core.lazy import lazy_module
from stepscope.core.scoring.web_fields_match import OFFICIAL

if TYPE_CHECKING:
    from stepscope.app.services.webtask import judging
    from stepscope.app.services.webtask.judging import JudgedPage
    from stepscope.app.services.webtask.live_page import PageSnapshot
    from stepscope.core.webtask.page import PageLook
    from stepscope.widgets.webtask.parts import WebTaskParts
else:
    judging = lazy_module("stepscope.app.services.webtask.judging")


class WebTaskFieldsController(QObject):
    """Judges what is in the page anew whenever it changes."""

    def __init__(self, context: Context, task: WebTaskController) -> None:
        super().__init__(context)
        self._context, self._task = context, task
        self._connected = False
        self._shows_people = False
        self._chosen = ""
        self.rules = OFFICIAL
        self.judged: JudgedPage | None = None
        self._seeks = self._can_judge = False
        self._came_with: frozenset[str] | None = None
        """names of the fields that the open page had when it was first seen"""
        task.page_changed.connect(self._page_changed)
        task.page.brought.connect(self._see)
        task.page.hosts_changed.connect(self._load_anew)
        task.page.brought.connect(self._find_worst)
        for signal in (task.shown_changed, task.look_changed):
            signal.connect(self.refresh)

    def connect_parts(self, parts: WebTaskParts) -> None:
        """Once, when the workspace is first entered."""
        if self._connected:
            return
        self._connected = True
        fields, view = parts.side.fields, parts.centre.view
        fields.rules_chosen.connect(self._choose_rules)
        fields.people_toggled.connect(self._show_people)
        fields.field_chosen.connect(self._choose)
        fields.field_pointed.connect(view.light_field)
        view.field_chosen.connect(self._choose)
        self._context.start("get ready to judge pages", lambda _token: _get_ready(), lambda _: self._judge())

    def _judge(self) -> None:
        """Judge fields from now on."""
        self._can_judge = True
        self.refresh()
        self._find_worst(None)

    # Showing ---------------------------------------------------------------------------------------------------------

    def _page_changed(self) -> None:
        self._shows_people = not self._context.preferences.annotation_blind
        self._chosen, self.judged, self._came_with = "", None, None
        self.refresh()

    def refresh(self) -> None:
        if not self._connected:
            return
        from stepscope.app.gui.features.webtask.presenter import fields_state, page_marks

        parts, task = self._task.page.parts, self._task
        read, look = task.read, task.look
        if read is None:
            parts.side.fields.set_state(None)
            return
        labels = judging.labels_of(look.fields) if look is not None else {}
        judged = judging.judged_page(
            read.task.fields, read.instance.answers, task.values, self.rules, missing=self._missing(), labels=labels,
            scored=self._can_judge,
        )  # fmt: skip
        self.judged = judged if self._can_judge else None
        blind = task.is_yours and not self._shows_people and bool(read.instance.answers)
        hidden = blind or not self._can_judge
        asked = task.is_yours and self._shows_people
        state = fields_state(judged, task.who, task.run_place, self.rules, hidden=hidden, asked=asked)
        parts.side.fields.set_state(state)
        if look is not None:
            parts.centre.set_marks(page_marks(judged, look, open_=hidden))
            parts.centre.view.set_scroll(look.scroll.x, look.scroll.y)

    def _see(self, shown: PageSnapshot) -> None:
        """The page stands. With nothing done to it, it is as it was loaded; until then what was seen first counts."""
        before = self._came_with
        if shown.source != self._task.source or (before is not None and shown.done > 0):
            return
        self._came_with = frozenset(one.name for one in shown.look.fields)
        if before is not None and before != self._came_with:
            self.refresh()

    def _load_anew(self) -> None:
        """Forget which fields the page came with: with other hosts allowed it may come with others."""
        self._came_with = None

    def _missing(self) -> Sequence[str]:
        """The task's fields that are not scored, for the page did not have them when it was loaded: as the evaluation
        noted them, else as they were seen here."""
        read, look, filled = self._task.read, self._task.look, self._task.filled
        if filled is not None:
            return filled.missing
        there = self._came_with
        if there is None and look is not None:
            there = frozenset(one.name for one in look.fields)
        if read is None or there is None:
            return ()
        return [field.name for field in read.task.fields if field.name not in there]

    # Choosing --------------------------------------------------------------------------------------------------------

    def _choose_rules(self, rules: str) -> None:
        self.rules = rules
        self.refresh()

    def _show_people(self, shown: bool) -> None:
        self._shows_people = shown
        self.refresh()

    def reveal(self) -> None:
        """Show people's answers from now on: this page was submitted."""
        self._shows_people = True
        self.refresh()

    def _choose(self, name: str) -> None:
        """Mark a field in the table and on the page, and bring it into view."""
        self._chosen = name
        parts = self._task.page.parts
        parts.side.choose_field(name)
        parts.centre.view.select_field(name)
        look = self._task.look
        if name and self._task.page.is_ready and look is not None and _is_hidden(look, name):
            from stepscope.core.webtask.actions import ScrollTo

            self._task.page.do(ScrollTo(name), lambda _did: self.refresh())

    def seek_worst(self) -> None:
        """Choose the field with the lowest score once the next page stands."""
        self._seeks = True

    def _find_worst(self, _shown: object) -> None:
        if not self._seeks or self.judged is None or self._task.filled is None:
            return
        self._seeks = False
        scored = [one for one in self.judged.fields if one.score is not None]
        worst = min(scored, key=lambda one: one.score or 0.0, default=None)
        if worst is not None and (worst.score or 0.0) < 1:
            self._choose(worst.name)

    def next_wrong(self, way: int) -> None:
        """Choose the next field that is not right, or the one before."""
        if self.judged is None:
            return
        wrong = [one.name for one in self.judged.fields if one.score is not None and one.score < 1]
        if not wrong:
            self._context.messages.info("No field of this page is wrong.")
            return
        names = [one.name for one in self.judged.fields]
        here = names.index(self._chosen) if self._chosen in names else -1 if way > 0 else len(names)
        ahead = [name for name in wrong if (names.index(name) - here) * way > 0]
        self._choose((ahead or wrong)[0 if way > 0 else -1])


def _is_hidden(look: PageLook, name: str) -> bool:
    """Whether the page has the field, and the middle of it is not to be seen."""
    box = next((one.box for one in look.fields if one.name == name), None)
    if box is None:
        return any(one.name == name for one in look.fields)
    x, y = (box.left + box.right) / 2 - look.scroll.x, (box.top + box.bottom) / 2 - look.scroll.y
    return not (0 <= x <= look.viewport.width and 0 <= y <= look.viewport.height)


def _get_ready() -> None:
    judging.get_ready()
