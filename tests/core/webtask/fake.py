"""A page in memory, and browsers that open such pages: what solvers, pools and the window are tried on without Qt."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.webtask import FieldType
from stepscope.core.webtask.actions import (
    CaptureScreen,
    GetHtml,
    ModifyCheckbox,
    ModifyRadio,
    ModifyRange,
    ModifySelect,
    ModifyText,
    PageAction,
    ScrollTo,
    WaitTillLoaded,
)
from stepscope.core.webtask.page import (
    VIEWPORT,
    BlockedRequest,
    ExecutedCall,
    PageError,
    PageField,
    PageGone,
    PageLook,
    PageOption,
    PageSource,
    Result,
)

CHOICES = (FieldType.RADIO, FieldType.SELECT, FieldType.CHECKBOX)
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d494844520000000100000001080200000090"
    "7753de0000000c4944415408d763f8ffff3f0005fe02fedccc59e70000000049454e44ae426082"
)
"""A PNG of one white pixel."""


def field(
    name: str,
    kind: FieldType | str = FieldType.TEXT,
    options: Sequence[str] = (),
    *,
    value: str = "",
    label: str = "",
    box: Box | None = None,
    disabled: bool = False,
) -> PageField:
    """A field as the page loads; options are labelled with their values, and `value` says which are chosen."""
    kind = FieldType(kind)
    chosen = set(value.split("|")) if kind is FieldType.CHECKBOX else {value}
    found = tuple(PageOption(option, option, option in chosen, box) for option in options)
    return PageField(name, kind, value, label or name, found, box, disabled)


class FakePage:
    """A `core.webtask.page.Page` over these fields. `hang` names actions after which the page is gone."""

    def __init__(
        self,
        *fields: PageField,
        html: str = "<p>fake</p>",
        hang: Sequence[str] = (),
        blocked: Sequence[BlockedRequest] = (),
        dialogs: Sequence[str] = (),
        size: Size = VIEWPORT,
    ) -> None:
        self._fields = {one.name: one for one in fields}
        self._loaded = dict(self._fields)
        self._html = html
        self._hang = tuple(hang)
        self._log: list[ExecutedCall] = []
        self._size = size
        self._opened = time.monotonic()
        self.blocked = tuple(blocked)
        self.dialogs = tuple(dialogs)
        self.gone = ""
        self.looks = 0
        """How often it was looked at."""

    @property
    def log(self) -> tuple[ExecutedCall, ...]:
        return tuple(self._log)

    @property
    def values(self) -> dict[str, str]:
        return {name: one.value for name, one in self._fields.items()}

    def do(self, action: PageAction, *, raw: str = "") -> Result:
        began = time.monotonic() - self._opened
        try:
            result = self._done(action)
        except PageError as error:
            self._log.append(ExecutedCall(action, began, 0.0, False, error.message, raw))
            raise
        self._log.append(ExecutedCall(action, began, 0.0, True, result.said, raw))
        return result

    def look(self, names: Sequence[str] | None = None) -> PageLook:
        self._still_there()
        self.looks += 1
        wanted = list(self._fields) if names is None else list(names)
        return PageLook(
            fields=tuple(self._fields[name] for name in wanted if name in self._fields),
            size=self._size,
            viewport=VIEWPORT,
            scroll=Point(0, 0, self._size),
            missing=tuple(name for name in wanted if name not in self._fields),
        )

    def tree(self) -> UITree:
        """One element for each field that has a place."""
        placed = [one for one in self._fields.values() if one.box is not None]
        elements = tuple(
            UIElement(index, one.box, resource_id=one.name, editable=one.type not in CHOICES, class_name="input")
            for index, one in enumerate(placed)
            if one.box is not None
        )
        return UITree(elements, TreeOrigin.DOM, self._size)

    def _still_there(self) -> None:
        if self.gone:
            raise PageGone(self.gone)

    def _done(self, action: PageAction) -> Result:
        self._still_there()
        if action.name in self._hang:
            self.gone = "The page did not answer and was ended: a script of it runs without end."
            raise PageGone(self.gone)
        match action:
            case ModifyText(name, text):
                self._set(name, text)
            case ModifyCheckbox(name, values):
                self._choose(name, values)
            case ModifyRadio(name, ""):
                self._choose(name, ())
            case ModifyRadio(name, value) | ModifySelect(name, value):
                self._choose(name, (value,))
            case ModifyRange(name, number):
                self._set(name, f"{number:g}")
            case GetHtml():
                return Result(f"{len(self._html)} characters", text=self._html)
            case CaptureScreen():
                return Result("1 x 1", png=PIXEL)
            case ScrollTo(name) | WaitTillLoaded(name):
                if name:
                    self._field(name)
            case _:
                pass
        return Result()

    def _field(self, name: str) -> PageField:
        if name not in self._fields:
            raise PageError(f"The page has no field {name!r}.", hint=f"It has {', '.join(self._fields)}.")
        found = self._fields[name]
        if found.disabled:
            raise PageError(f"The field {name!r} is disabled.")
        return found

    def _set(self, name: str, value: str) -> None:
        self._fields[name] = replace(self._field(name), value=value)

    def _choose(self, name: str, values: Sequence[str]) -> None:
        found = self._field(name)
        known = [option.value for option in found.options]
        if unknown := [value for value in values if value not in known]:
            raise PageError(f"{name!r} has no {unknown[0]!r}.", hint=f"It has {', '.join(known)}.")
        options = tuple(replace(option, chosen=option.value in values) for option in found.options)
        value = "|".join(option.value for option in options if option.chosen)
        self._fields[name] = replace(found, value=value, options=options)


class FakeBrowser:
    """A browser that makes its pages with `page_of`; `wait` is held for at each opening, until it is closed."""

    def __init__(
        self, page_of: Callable[[PageSource], FakePage], *, wait: threading.Event | None = None, start: str = ""
    ) -> None:
        """`start`: with what words it cannot be started."""
        self._page_of = page_of
        self._wait = wait
        self._start = start
        self._ended = threading.Event()
        self.opened: list[PageSource] = []
        self.threads: set[int] = set()
        self.starts = 0
        self.pid = os.getpid()

    @property
    def closed(self) -> bool:
        return self._ended.is_set()

    def start(self) -> None:
        if self._start:
            raise PageGone(self._start)
        self.starts += 1

    def open(self, source: PageSource, *, patience: float = 20.0) -> FakePage:
        self.threads.add(threading.get_ident())
        self.opened.append(source)
        while self._wait is not None and not self._wait.wait(0.01):
            if self.closed:
                raise PageGone("The browser was closed.")
        if self.closed:
            raise PageGone("The browser was closed.")
        return self._page_of(source)

    def close(self) -> None:
        self._ended.set()
