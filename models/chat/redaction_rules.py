"""The elements that a person wants never sent: rules of their own, by id, class, text and app, kept among the settings
as `redactions.json`. They hold for every program and process of this user, from the moment they are written."""

from __future__ import annotations

import hashlib
import json
from dataclasses import astuple, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from stepscope.core.domain.action import Target
from stepscope.core.domain.elements import UIElement
from stepscope.core.drafts import reason
from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.own_lists import OwnList

LONGEST = 200
"""Characters of a rule's name, and of what it asks for (ours)."""

_LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class RedactionRule:
    """All that is given must hold, without regard to case. `id`: the whole resource id (or the HTML id or name), or
    what stands behind its last slash; `id_has` is part of it. `kind`: the class, with or without its package, or the
    HTML tag. `text`: text or description, whole; `text_has` is part of one. `app`: a package, or the app or site as the
    data names it.

    Raises UsageError for a rule without a name or without anything to ask for.
    """

    name: str
    id: str = ""
    id_has: str = ""
    kind: str = ""
    text: str = ""
    text_has: str = ""
    app: str = ""

    def __post_init__(self) -> None:
        for field in fields(self):
            given = " ".join(getattr(self, field.name).split())
            if len(given) > LONGEST:
                raise UsageError(f"A rule's {field.name} has at most {LONGEST} characters.", hint="Shorten it.")
            object.__setattr__(self, field.name, given)
        if not self.name:
            raise UsageError("A rule needs a name.", hint="Give one by which it can be removed.")
        if not any(self.conditions):
            hint = "Give an id, a class, a text or an app."
            raise UsageError(f"The rule {self.name!r} says nothing of what is never sent.", hint=hint)

    @property
    def conditions(self) -> tuple[str, ...]:
        """All but the name."""
        return astuple(self)[1:]

    @property
    def words(self) -> str:
        """What it asks for, such as "id contains “email”, app com.x"."""
        parts = (
            ("id", self.id, "{}"), ("id contains", self.id_has, "“{}”"), ("class", self.kind, "{}"),
            ("text", self.text, "“{}”"), ("text contains", self.text_has, "“{}”"), ("app", self.app, "{}"),
        )  # fmt: skip
        return ", ".join(f"{what} {form.format(given)}" for what, given, form in parts if given)

    def hides(self, element: UIElement, apps: tuple[str, ...]) -> bool:
        """Whether the element is never sent. `apps` is what is known of where it stands; where nothing is known a
        rule's app counts as met, so that nothing is sent by mistake."""
        return (
            self.is_in(apps)
            and self._has_id(element.resource_id)
            and (not self.kind or _same(self.kind, element.class_name) or _same(self.kind, element.short_class))
            and self._has_text((element.text, element.content_description))
        )

    def hides_target(self, target: Target, apps: tuple[str, ...]) -> bool:
        """The same of an element of which only a record of what was done tells: that says no class, which then counts
        as met."""
        return self.is_in(apps) and self._has_id(target.id or "") and self._has_text((target.text,))

    def is_in(self, apps: tuple[str, ...]) -> bool:
        """Whether the rule is about any of these apps."""
        return not self.app or not any(apps) or any(_same(self.app, one) for one in apps)

    def _has_id(self, id_: str) -> bool:
        whole = not self.id or _same(self.id, id_) or _same(self.id, id_.rsplit("/", 1)[-1])
        return whole and self.id_has.casefold() in id_.casefold()

    def _has_text(self, texts: tuple[str, ...]) -> bool:
        plain = [" ".join(one.split()).casefold() for one in texts if one]
        whole = not self.text or self.text.casefold() in plain
        part = self.text_has.casefold()
        return whole and (not part or any(part in one for one in plain))


@dataclass(frozen=True, slots=True)
class Redaction:
    """The rules as they are about one episode, of the app or site `app` ("" where the data names none)."""

    rules: tuple[RedactionRule, ...] = ()
    app: str = ""

    def hides(self, element: UIElement, activity: str) -> bool:
        """Whether one of the rules keeps the element back. `activity` is the screen's."""
        apps = (element.package, activity.partition("/")[0], self.app)
        return any(rule.hides(element, apps) for rule in self.rules)

    def hides_target(self, target: Target | None) -> bool:
        """The same of an element that only a record of what was done tells of; None: nothing is known of it, and every
        rule of this app may mean it."""
        apps = (self.app,)
        return any(rule.is_in(apps) if target is None else rule.hides_target(target, apps) for rule in self.rules)


NOTHING = Redaction()
"""For what is not sent."""


_MARK = ", redacted "


def redaction_of(app: str | None = "") -> Redaction:
    """The rules that are in force now, as they are about an episode of this app. Raises UserError where the file cannot
    be read: what must not be sent is not known then."""
    return Redaction(_in_force(), app or "")


def mark() -> str:
    """What stands in the versions of all that is asked while there are rules, ", redacted 0123456789ab"; "" where there
    are none. It changes with the rules, not with their names or order. Raises nothing: while the rules cannot be read
    nothing is asked."""
    try:
        rules = _in_force()
    except UserError:
        return ", redactions that cannot be read"
    return f"{_MARK}{_digest(rules)}" if rules else ""


def redacted_in(version: str) -> str:
    """The digest of the rules in a version that has the mark, "" where there were none."""
    return version.partition(_MARK)[2][:12]


def _in_force() -> tuple[RedactionRule, ...]:
    try:
        found = LIST.file.stat()
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise UserError(f"cannot be read: {reason(error)}", place=LIST.file, hint="Repair it, or delete it.") from error
    return _read(LIST.file, found.st_ino, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=4)
def _read(file: Path, _inode: int, changed: int, size: int) -> tuple[RedactionRule, ...]:
    """The file as it was then: it is looked at for every screen, and read when it has changed."""
    return LIST.load(file)


@lru_cache(maxsize=4)
def _digest(rules: tuple[RedactionRule, ...]) -> str:
    text = json.dumps(sorted(one.conditions for one in rules))
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:12]


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def _rule(entry: Any, file: Path, number: int) -> RedactionRule:
    known = {one.name for one in fields(RedactionRule)}
    record = f"rule {number}"
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
        raise UserError("a rule has a name.", place=file, record=record)
    for name, value in entry.items():
        if name not in known or not isinstance(value, str):
            raise UserError(f"{name} is unknown or of the wrong kind.", place=file, record=record)
    try:
        return RedactionRule(**entry)
    except UsageError as error:
        raise UserError(error.message, place=file, record=record, hint=error.hint) from error


def new_rule(name: str, *, id: str = "", text: str = "", app: str = "") -> RedactionRule:
    """A rule that need not be named by hand: a number is put behind a name that is in use. Of a long text its
    beginning is asked for. Raises UserError as `load`,
    UsageError as for every rule."""
    known = {one.name for one in load()}
    name = " ".join(name.split())[:_LONGEST_NAME] or "rule"
    names = (name, *(f"{name} {number}" for number in range(2, len(known) + 3)))
    free = next(one for one in names if one not in known)
    if len(text) > LONGEST:
        return RedactionRule(free, id=id, text_has=text[:LONGEST], app=app)
    return RedactionRule(free, id=id, text=text, app=app)


LIST = OwnList(
    "rule", "redactions", _rule, "Add one: stepscope servers redact add NAME --id ID.",
    "Choose another name, or remove the other first.",
)  # fmt: skip
load, add, remove = LIST.load, LIST.add, LIST.remove
"""Those that a person has added: see `OwnList`."""
