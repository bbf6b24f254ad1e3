"""An adapter says how a published agent is read: data rather than code.

It is a TOML file: those of the program lie in `resources/agents`, a person's own in `own_folder`, where one of the same
name takes the place of the program's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar

from stepscope import resources
from stepscope.core.domain.action import Action
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.drafts import reason
from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.own_files import read_toml
from stepscope.core.scoring.names import did_you_mean
from stepscope.core.settings import user_config_dir
from stepscope.core.typed_forms import dataclass_of
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
from stepscope.models.agents.prompts import PromptTemplate
from stepscope.models.agents.resizing import NO_RESIZING, ResizeRule, Resizing
from stepscope.models.agents.spaces import PlaceReading, Space
from stepscope.models.agents.vocabulary import Meaning, actions_of
from stepscope.models.agents.writing import WORDS, written

SHIPPED = Path(resources.__file__).resolve().parent / "agents"

FORMS: Mapping[str, Callable[[str], list[AgentCall]]] = {
    "calls": python_calls,
    "tools": tool_calls,
    "objects": object_calls,
    "words": word_calls,
    "points": bare_points,
}
Word = TypeVar("Word", bound=StrEnum)
_HINT = "See docs/models/agents.md for what an adapter says."
_LONGEST = 200_000
"""Characters of an answer that are read (ours)."""


PROMPTS = ("prompt", "prompt_web", "prompt_grounding")
"""Where an adapter's prompts stand."""
ASKS = ("told", "ask", "say")
"""What an adapter says of asking."""


@dataclass(frozen=True, slots=True)
class Adapter:
    """`forms`: in which an answer may be written, in the order in which they are tried. `scroll`, `newline_submits`:
    see `finger` and `submits` of `vocabulary.Meaning`. `actions`: the published words, for people.

    `prompt` asks for the next action, `prompt_web` on web pages where that is another, `prompt_grounding` for where
    something is where that is asked otherwise; without any only answers of others can be read. `writes` has the words
    of an action by its kind (or key, or `impossible`), with `{x} {y} {x2} {y2} {text} {key} {direction}`; KIND_at:
    where it has a place; `writes_web`: what is other on web pages. `quoting` is that of `{text}`, `decimals` of places
    in the unit space. `screens`: how many past screens the agent is usually shown. `models`: what names of models that
    speak so have in them, in small letters without signs."""

    name: str
    title: str
    version: str
    space: Space
    platform: tuple[Literal["android", "web", "desktop"], ...]
    source: str
    forms: tuple[Literal["calls", "tools", "objects", "words", "points"], ...]
    dialect: Literal["plain", "gui-r1", "seeclick", "agentcpm"] = "plain"
    resize: ResizeRule = NO_RESIZING
    scroll: Literal["content", "finger"] = "content"
    newline_submits: bool = False
    actions: tuple[str, ...] = ()
    note: str = ""
    prompt: PromptTemplate | None = None
    prompt_web: PromptTemplate | None = None
    prompt_grounding: PromptTemplate | None = None
    writes: Mapping[str, str] = field(default_factory=dict)
    writes_web: Mapping[str, str] = field(default_factory=dict)
    quoting: Literal["none", "json", "python"] = "none"
    decimals: int = 4
    models: tuple[str, ...] = ()
    screens: int = 0
    asks: Mapping[str, str] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        for name in ("platform", "forms"):
            if not getattr(self, name):
                raise ValueError(f"{name} is empty")
        for name in ("writes", "writes_web"):
            unknown = [word for word in getattr(self, name) if word not in WORDS]
            if unknown:
                raise ValueError(f"{name} has {unknown[0]!r}, which is no action of ours")
        unknown = [word for word in self.asks if word not in ASKS]
        if unknown:
            raise ValueError(f"asks has {unknown[0]!r}, which is none of {', '.join(ASKS)}")
        if self.decimals < 0 or self.screens < 0:
            raise ValueError("decimals or screens is below 0")

    @property
    def digest(self) -> str:
        """The same for the same adapter, whatever its version says: eight letters."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:8]

    @property
    def has_prompt(self) -> bool:
        """Whether models can be asked by it, and not only read."""
        return any(getattr(self, name) is not None for name in PROMPTS)

    def prompt_on(self, platform: str) -> PromptTemplate:
        """The prompt for episodes of this platform. Raises UsageError where there is none."""
        found = (self.prompt_web or self.prompt) if platform == "web" else (self.prompt or self.prompt_web)
        if found is None:
            raise UsageError(f"the adapter {self.name} has no prompt: it reads answers only.", hint=_HINT)
        return found

    @property
    def pointing(self) -> Adapter:
        """The adapter as it asks where something is: the same where it has no words of its own for that."""
        return replace(self, prompt=self.prompt_grounding, prompt_web=None) if self.prompt_grounding else self

    @property
    def asking(self) -> Adapter:
        """The adapter of an agent that may ask: it knows the words for it, and its prompt tells it so."""
        if not self.asks:
            return self
        words = {name: self.asks[name] for name in ("ask", "say") if name in self.asks}
        told = self.asks.get("told", "")
        prompts = {
            name: replace(found, user=f"{found.user.rstrip()}\n{told}")
            for name in PROMPTS[:2]
            if told and (found := getattr(self, name)) is not None
        }
        return replace(self, writes={**self.writes, **words}, **prompts)

    @property
    def tells_answers(self) -> bool:
        """Whether it has words for a question and for the person's answer."""
        return "say" in self.asks and "ask" in self.writes

    def written(self, action: Action, screen: Size, sent: Size, platform: str = "android") -> str | None:
        """The action as this agent writes it, its places said as of a picture of the size `sent`; None where it has no
        words for it."""
        words = {**self.writes, **self.writes_web} if platform == "web" else self.writes
        return written(
            action,
            words,
            space=self.space,
            screen=screen,
            sent=sent,
            finger=self.scroll == "finger",
            quoting=self.quoting,
            decimals=self.decimals,
        )

    @property
    def can_send_less(self) -> bool:
        """Whether its picture can be smaller than its rule says: not where places are pixels of the recorded screen."""
        return self.space is not Space.ORIGINAL

    def sending_less(self, times: int) -> Adapter:
        """The same adapter with pictures of half the area, so many times over."""
        return self if not times else replace(self, resize=replace(self.resize, halved=self.resize.halved + times))

    def sent(self, screen: Size) -> Size:
        """The size of the picture as the model sees it. Raises UsageError for a screen that the rule refuses."""
        try:
            return self.resize.sent(screen)
        except ValueError as error:
            raise UsageError(f"{self.name}: {error}.", hint="Say the sent size: --sent WxH.") from error


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """What an answer says: actions in pixels of the recorded screen, in order, the first counts; the places as the
    model said them, in `space`. With `problem` there is no action; `stopped` is where in the text reading stopped.
    `refused`: the problem is that the model says that nothing on the screen is meant."""

    space: Space
    actions: tuple[Action, ...] = ()
    said: tuple[tuple[float, float], ...] = ()
    problem: str = ""
    stopped: int = 0
    refused: bool = False


def read_answer(
    adapter: Adapter,
    raw: object,
    screen: Size,
    sent: Size | None = None,
    space: Space | PlaceReading | None = None,
) -> ReadAnswer:
    """What `raw` says: a text, or the object of a tool call. `sent` and `space` in the place of the adapter's."""
    reading = space if isinstance(space, PlaceReading) else PlaceReading(space or adapter.space)
    used, seen = reading.space, sent or adapter.sent(screen)

    def place(x: float, y: float) -> Point:
        return reading.on_screen(x, y, screen, seen)

    meaning = Meaning(place, adapter.scroll == "finger", adapter.newline_submits)
    try:
        actions = actions_of(_calls(adapter, raw), meaning)
    except UnreadableError as error:
        return ReadAnswer(used, problem=str(error), stopped=error.at, refused=meaning.refused)
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


def file_of(adapter: Adapter) -> Path | None:
    """The file that an adapter of this name is read from: to look at, and to copy for one's own; None elsewhere."""
    places = (folder / f"{adapter.name}.toml" for folder in (own_folder(), SHIPPED))
    return next((file for file in places if file.is_file()), None)


def adapters() -> tuple[dict[str, Adapter], list[UserError]]:
    """All adapters by their names, and what is wrong with a person's own that cannot be read."""
    found, problems = dict(_shipped()), []
    for file in sorted(own_folder().glob("*.toml")):
        try:
            one = read_adapter(file)
        except UserError as error:
            problems.append(error)
        else:
            found[one.name] = one
    return found, problems


@cache
def _shipped() -> Mapping[str, Adapter]:
    """Those of the program, which do not change while it runs."""
    return {one.name: one for one in map(read_adapter, sorted(SHIPPED.glob("*.toml")))}


def adapter_for(model: str, known: Mapping[str, Adapter]) -> str:
    """The name of the adapter for a model that is called so, the longest of those that fit; `json` where none does."""
    plain = "".join(letter for letter in model.lower() if letter.isalnum())
    fits = [(len(one), name) for name, adapter in known.items() for one in adapter.models if one in plain]
    return max(fits)[1] if fits else "json"


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
        form = {"name": file.stem, **read_toml(file)}
        form["space"] = _one_of(Space, form, "space")
        form["resize"] = _rule(form.get("resize", {}))
        for name in PROMPTS:
            if name in form:
                form[name] = dataclass_of(PromptTemplate, form[name])
        return dataclass_of(Adapter, form)
    except OSError as error:
        raise UserError(f"cannot be read: {reason(error)}.", place=file, hint=_HINT) from error
    except ValueError as error:
        raise UserError(f"is no adapter: {error}", place=file, hint=_HINT) from error


def _rule(form: object) -> ResizeRule:
    if not isinstance(form, dict):
        raise ValueError("resize is no table")
    rule = _one_of(Resizing, form, "rule") if form else Resizing.NONE
    return dataclass_of(ResizeRule, form | {"rule": rule})


def _one_of(kind: type[Word], form: Mapping[str, Any], name: str) -> Word:
    found = form.get(name)
    if found not in [*kind]:
        raise ValueError(f"{name} is {found!r}, not one of {', '.join(kind)}")
    return kind(str(found))
