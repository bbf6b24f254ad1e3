"""An adapter says how a published agent is read: data rather than code.

It is a TOML file: those of the program lie in `resources/agents`, a person's own in `own_folder`, where one of the same
name takes the place of the program's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stepscope import resources
from stepscope.core.domain.action import Action
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.drafts import reason
from stepscope.core.errors import UsageError, UserError
from stepscope.core.own_files import read_toml
from stepscope.core.scoring.names import did_you_mean
from stepscope.core.settings import user_config_dir
from stepscope.models.agents.calls import (
    AgentCall,
    UnreadableError,
    bare_points,
    object_calls,
    python_calls,
    tool_calls,
    without_end_tokens,
    word_calls,
)
from stepscope.models.agents.dialects import DIALECTS
from stepscope.models.agents.resizing import NO_RESIZING, ResizeRule, Resizing
from stepscope.models.agents.spaces import Space, on_screen
from stepscope.models.agents.vocabulary import Meaning, actions_of

SHIPPED = Path(resources.__file__).resolve().parent / "agents"

FORMS: Mapping[str, Callable[[str], list[AgentCall]]] = {
    "calls": python_calls,
    "tools": tool_calls,
    "objects": object_calls,
    "words": word_calls,
    "points": bare_points,
}
PLATFORMS = ("android", "web", "desktop")
_HINT = "See docs/models/agents.md for what an adapter says."
_LONGEST = 200_000
"""Characters of an answer that are read (ours)."""


@dataclass(frozen=True, slots=True)
class Adapter:
    """`forms`: in which an answer may be written, in the order in which they are tried. `finger`, `submits`: see
    `vocabulary.Meaning`. `actions`: the published words, for people."""

    name: str
    title: str
    version: str
    space: Space
    platforms: tuple[str, ...]
    source: str
    forms: tuple[str, ...]
    dialect: str = "plain"
    resize: ResizeRule = NO_RESIZING
    finger: bool = False
    submits: bool = False
    actions: tuple[str, ...] = ()
    note: str = ""

    def sent(self, screen: Size) -> Size:
        """The size of the picture as the model sees it. Raises UsageError for a screen that the rule refuses."""
        try:
            return self.resize.sent(screen)
        except ValueError as error:
            raise UsageError(f"{self.name}: {error}.", hint="Say the sent size: --sent WxH.") from error


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """What an answer says: actions in pixels of the recorded screen, in order, the first counts; the places as the
    model said them, in `space`. With `problem` there is no action; `stopped` is where in the text reading stopped."""

    space: Space
    actions: tuple[Action, ...] = ()
    said: tuple[tuple[float, float], ...] = ()
    problem: str = ""
    stopped: int = 0


def read_answer(
    adapter: Adapter, raw: object, screen: Size, sent: Size | None = None, space: Space | None = None
) -> ReadAnswer:
    """What `raw` says: a text, or the object of a tool call. `sent` and `space` in the place of the adapter's."""
    used, seen = space or adapter.space, sent or adapter.sent(screen)

    def place(x: float, y: float) -> Point:
        return on_screen(x, y, used, screen, seen)

    meaning = Meaning(place, adapter.finger, adapter.submits)
    try:
        actions = actions_of(_calls(adapter, raw), meaning)
    except UnreadableError as error:
        return ReadAnswer(used, problem=str(error), stopped=error.at)
    except (RecursionError, OverflowError):
        return ReadAnswer(used, problem="the answer is nested too deeply, or has a number beyond all measure")
    return ReadAnswer(used, tuple(actions), tuple(meaning.said))


def _calls(adapter: Adapter, raw: object) -> list[AgentCall]:
    """Raises UnreadableError where there is none."""
    named = DIALECTS[adapter.dialect]
    if isinstance(raw, Mapping):
        return [named(raw, 0)]
    if isinstance(raw, list):
        if not raw or not all(isinstance(one, Mapping) for one in raw):
            raise UnreadableError("the answer is a list that holds no object, or more than objects")
        return [named(one, 0) for one in raw]
    if not isinstance(raw, str):
        raise UnreadableError("the answer is neither a text nor an object")
    if len(raw) > _LONGEST:
        raise UnreadableError(f"the answer has {len(raw):,} characters, {_LONGEST:,} are read", _LONGEST)
    text = without_end_tokens(raw)
    if not text.strip():
        raise UnreadableError("the answer is empty")
    for form in adapter.forms:
        found = FORMS[form](text)
        if found:
            return [named(one.arguments, one.at) if form == "objects" else one for one in found]
    raise UnreadableError(f"no action of {adapter.title} is in the answer", len(text))


# Files ----------------------------------------------------------------------------------------------------------------


def own_folder() -> Path:
    """Where a person's own adapters lie; may not exist yet."""
    return user_config_dir() / "agents"


def adapters() -> tuple[dict[str, Adapter], list[UserError]]:
    """All adapters by their names, and what is wrong with a person's own that cannot be read."""
    found, problems = {}, []
    for file in [*sorted(SHIPPED.glob("*.toml")), *sorted(own_folder().glob("*.toml"))]:
        try:
            one = read_adapter(file)
        except UserError as error:
            problems.append(error)
        else:
            found[one.name] = one
    return found, problems


def adapter_named(name: str) -> Adapter:
    """The adapter of this name, or of this TOML file. Raises UsageError for another name, UserError for a bad file."""
    if name.endswith(".toml"):
        return read_adapter(Path(name))
    own = own_folder() / f"{name}.toml"
    known, _ = adapters()
    if name not in known and own.name in {file.name for file in own_folder().glob("*.toml")}:
        return read_adapter(own)
    if name not in known:
        raise UsageError(
            f"there is no adapter {name!r}.", hint=f"{did_you_mean(name, [*known])}See 'stepscope agents list'."
        )
    return known[name]


def read_adapter(file: Path) -> Adapter:
    """The adapter that a TOML file describes. Raises UserError with file and field."""
    try:
        form = read_toml(file)
    except OSError as error:
        raise UserError(f"cannot be read: {reason(error)}.", place=file, hint=_HINT) from error
    except ValueError as error:
        raise UserError(f"is no adapter: {error}", place=file, hint=_HINT) from error
    reader = _Form(file, form)
    found = Adapter(
        name=file.stem,
        title=reader.text("title"),
        version=reader.text("version"),
        space=Space(reader.one_of("space", [*Space])),
        platforms=tuple(reader.some_of("platform", PLATFORMS)),
        source=reader.text("source"),
        forms=tuple(reader.some_of("forms", [*FORMS])),
        dialect=reader.one_of("dialect", [*DIALECTS], "plain"),
        resize=_rule(file, reader.table("resize")),
        finger=reader.one_of("scroll", ["content", "finger"], "content") == "finger",
        submits=reader.flag("newline_submits"),
        actions=tuple(reader.texts("actions")),
        note=reader.text("note", ""),
    )
    reader.check_known()
    return found


def _rule(file: Path, form: Mapping[str, Any]) -> ResizeRule:
    reader = _Form(file, form, "resize.")
    found = ResizeRule(
        Resizing(reader.one_of("rule", [*Resizing], "none")),
        **{name: reader.number(name) for name in ("factor", "least", "most", "tiles")},
    )
    reader.check_known()
    return found


class _Form:
    """Fields of a file, each checked where it is read."""

    def __init__(self, file: Path, form: Mapping[str, Any], prefix: str = "") -> None:
        self._file, self._form, self._prefix = file, form, prefix
        self._read: set[str] = set()

    def text(self, name: str, default: str | None = None) -> str:
        found = self._value(name, default)
        if not isinstance(found, str):
            raise self._wrong(name, "is not a text")
        return found

    def flag(self, name: str) -> bool:
        found = self._value(name, False)
        if not isinstance(found, bool):
            raise self._wrong(name, "is neither true nor false")
        return found

    def number(self, name: str) -> int:
        found = self._value(name, 1)
        if not isinstance(found, int) or isinstance(found, bool) or found < 1:
            raise self._wrong(name, "is no whole number above 0")
        return found

    def texts(self, name: str) -> list[str]:
        found = self._value(name, [])
        if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
            raise self._wrong(name, "is no list of texts")
        return found

    def table(self, name: str) -> Mapping[str, Any]:
        found = self._value(name, {})
        if not isinstance(found, dict):
            raise self._wrong(name, "is no table")
        return found

    def one_of(self, name: str, allowed: Sequence[str], default: str | None = None) -> str:
        found = self.text(name, default)
        if found not in allowed:
            raise self._wrong(name, f"is {found!r}, not one of {', '.join(allowed)}")
        return found

    def some_of(self, name: str, allowed: Sequence[str]) -> list[str]:
        found = self.texts(name)
        if not found or not set(found) <= set(allowed):
            raise self._wrong(name, f"must list some of {', '.join(allowed)}")
        return found

    def check_known(self) -> None:
        unknown = [name for name in self._form if name not in self._read]
        if unknown:
            raise self._wrong(unknown[0], f"is not known here; known are {', '.join(sorted(self._read))}")

    def _value(self, name: str, default: Any) -> Any:
        self._read.add(name)
        found = self._form.get(name, default)
        if found is None:
            raise self._wrong(name, "is missing")
        return found

    def _wrong(self, name: str, what: str) -> UserError:
        return UserError(f"the field {what}.", place=self._file, record=self._prefix + name, hint=_HINT)
