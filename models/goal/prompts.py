"""The words in which a model is asked for a goal: files with versions, of the program and of one's own.

They are TOML files: those of the program lie in `resources/goal_prompts`, a person's own in `own_folder`, where one of
the same name takes the place of the program's.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

from stepscope import resources
from stepscope.core.domain.episode import Platform
from stepscope.core.drafts import advice, reason, write_whole
from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.own_files import read_toml
from stepscope.core.scoring.names import did_you_mean
from stepscope.core.settings import user_config_dir
from stepscope.core.typed_forms import dataclass_of
from stepscope.models.agents.prompts import put_in
from stepscope.models.own.toml_text import toml_text

_RESOURCES = Path(resources.__file__).resolve().parent
SHIPPED, SAMPLE = _RESOURCES / "goal_prompts", _RESOURCES / "sample" / "episodes"
USUAL = "step-by-step"
NAMES = ("seen", "actions")
"""What the system's words may name in braces: the sentence about the pictures, and the one about how actions are
written."""
WORDS = ("system", "user")
TABLES = ("seen", "actions")
PLACES = (Platform.ANDROID.value, Platform.WEB.value, "none")
"""Of which data a sentence of these tables is told; none: where there are no pictures, or no words of actions."""
_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{0,39}")
_HINT = "See docs/models/goal-prompts.md for what a prompt says."


@dataclass(frozen=True, slots=True)
class GoalPrompt:
    """`system` is said first, `user` behind the trajectory. `answer`: one sentence, or steps and goal as a JSON object.
    `seen` and `actions` have a sentence for each of `PLACES`. `examples` are episodes that may be shown solved before:
    names of the sample's, or folders of recordings beside the file; the first that is not the one that is asked about
    is taken."""

    name: str
    title: str
    version: str
    source: str
    answer: Literal["sentence", "steps"]
    system: str
    user: str
    seen: Mapping[str, str]
    actions: Mapping[str, str]
    examples: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for table in TABLES:
            if set(getattr(self, table)) != set(PLACES):
                raise ValueError(f"{table} must have {', '.join(PLACES)}")
        if not self.system.strip() or not self.user.strip():
            raise ValueError("system or user is empty")

    @property
    def digest(self) -> str:
        """The same for the same words, whatever the version says: eight letters."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:8]

    def instruction(self, seen: str, actions: str) -> str:
        """The system's words for data of these places; a line that has nothing to say is left out."""
        told = {"seen": self.seen[seen], "actions": self.actions[actions]}
        lines = [(line, put_in(line, told).rstrip()) for line in self.system.strip().split("\n")]
        return "\n".join(put for line, put in lines if put or not line.strip())


def own_folder() -> Path:
    """Where a person's own prompts lie; may not exist yet."""
    return user_config_dir() / "goal_prompts"


def file_of(prompt: GoalPrompt) -> Path | None:
    """The file that a prompt of this name is read from; None where it is gone."""
    places = (folder / f"{prompt.name}.toml" for folder in (own_folder(), SHIPPED))
    return next((file for file in places if file.is_file()), None)


def is_own(prompt: GoalPrompt) -> bool:
    """Whether it is one of a person's own."""
    return file_of(prompt) == own_folder() / f"{prompt.name}.toml"


def goal_prompts() -> tuple[dict[str, GoalPrompt], list[UserError]]:
    """All by their names, the program's first, and what is wrong with a person's own that cannot be read."""
    found, problems = dict(_shipped()), []
    for file in sorted(own_folder().glob("*.toml")):
        try:
            one = read_prompt(file)
        except UserError as error:
            problems.append(error)
        else:
            found[one.name] = one
    return found, problems


def goal_prompt(name: str) -> GoalPrompt:
    """The prompt of that name. Raises UsageError where there is none, UserError for one of one's own that is broken."""
    own = own_folder() / f"{name}.toml"
    if _NAME.fullmatch(name) and own.is_file():
        return read_prompt(own)
    if name in _shipped():
        return _shipped()[name]
    known = goal_prompts()[0]
    raise UsageError(f"There is no prompt {name!r}.", hint=f"{did_you_mean(name, known)}Prompts: {', '.join(known)}.")


def read_prompt(file: Path) -> GoalPrompt:
    """The prompt of a file; its name is the file's. Raises UserError naming what is wrong with it."""
    try:
        return dataclass_of(GoalPrompt, {**read_toml(file), "name": file.stem})
    except (OSError, ValueError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        raise UserError(f"is no prompt: {why}.", place=file, hint=_HINT) from error


def own_name(prompt: GoalPrompt) -> str:
    """What a copy is called unless somebody says otherwise: one's own keep theirs."""
    return prompt.name if is_own(prompt) else f"{prompt.name}-own"


def changed(prompt: GoalPrompt, words: Mapping[str, str]) -> GoalPrompt:
    """The prompt with these words, by where they stand: `system`, `user`, `seen.web`, `actions.none`, …; the next
    version where anything is another. Raises ValueError for words that are no prompt."""
    form = _with_words(_form(prompt), words)
    return dataclass_of(GoalPrompt, form)


def words_of(prompt: GoalPrompt) -> dict[str, str]:
    """The words that can be changed, by where they stand."""
    found = {name: getattr(prompt, name).strip() for name in WORDS}
    return found | {f"{table}.{place}": getattr(prompt, table)[place] for table in TABLES for place in PLACES}


def save_prompt(prompt: GoalPrompt, name: str, words: Mapping[str, str]) -> GoalPrompt:
    """Keep the prompt among one's own under this name with these words; what stands there under the name is replaced
    where it is a copy of the same. Raises UsageError for a name that cannot be or is taken, UserError for words that
    are no prompt and for a file that cannot be written."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name of a prompt.", hint="Small letters, digits, - and ., at most 40.")
    file = own_folder() / f"{name}.toml"
    if name in _shipped():
        raise UsageError(f"{name} is a prompt of the program.", hint="Give your own another name.")
    if file.is_file() and prompt.name != name:
        raise UsageError(f"you have a prompt {name} already.", hint="Change that one, or give another name.")
    try:
        made = changed(prompt, words)
    except ValueError as error:
        raise UserError(f"These words are no prompt: {error}.") from error
    form = {key: value for key, value in _form(made).items() if key != "name"}
    if prompt.name != name:
        form["title"] = f"{made.title} ({name})"
    try:
        write_whole(file, toml_text(form).encode())
    except OSError as error:
        raise UserError(f"cannot be written: {reason(error)}.", place=file, hint=advice(error)) from error
    return read_prompt(file)


def example_folder(prompt: GoalPrompt, name: str) -> Path:
    """Where an example of the prompt lies: beside its file, else among the sample's episodes. Raises UserError for a
    name that leads elsewhere, and where there is nothing."""
    if Path(name).name != name or name in ("", ".", ".."):
        raise UserError(f"the example {name!r} is no name of a folder.", place=prompt.name, hint=_HINT)
    for folder in (own_folder() / name, SAMPLE / name):
        if folder.is_dir():
            return folder
    hint = "Put the recording's folder beside the prompt's file, or name an episode of the sample."
    raise UserError(f"the example {name!r} is not there.", place=prompt.name, hint=hint)


@cache
def _shipped() -> Mapping[str, GoalPrompt]:
    """Those of the program, which do not change while it runs; the usual one first."""
    found = {one.name: one for one in map(read_prompt, sorted(SHIPPED.glob("*.toml")))}
    return {USUAL: found[USUAL]} | found


def _form(prompt: GoalPrompt) -> dict[str, Any]:
    return {
        "name": prompt.name,
        "title": prompt.title,
        "version": prompt.version,
        "source": prompt.source,
        "answer": prompt.answer,
        "examples": list(prompt.examples),
        "system": prompt.system,
        "user": prompt.user,
        "seen": dict(prompt.seen),
        "actions": dict(prompt.actions),
    }


def _with_words(form: dict[str, Any], words: Mapping[str, str]) -> dict[str, Any]:
    found = {**form, "seen": {**form["seen"]}, "actions": {**form["actions"]}}
    for place, text in words.items():
        table, dot, key = place.partition(".")
        if not (place in WORDS or (dot and table in TABLES and key in PLACES)):
            raise ValueError(f"{place} is no part of a prompt")
        if dot:
            found[table][key] = text
        elif text.strip() != found[place].strip():
            found[place] = text
    if found != form:
        base, _, own = str(form["version"]).partition("+")
        found["version"] = f"{base}+{int(own) + 1 if own.isdecimal() else 1}"
    return found
