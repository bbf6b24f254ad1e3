"""The words in which a model is asked to make ambiguous tasks: files with versions, of the program and of one's own.

They are TOML files: those of the program lie in `resources/ask_prompts`, a person's own in `own_folder`, where one of
the same name takes the place of the program's.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from stepscope import resources
from stepscope.core.domain.episode import Platform
from stepscope.core.drafts import advice, reason, write_whole
from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.own_files import read_toml
from stepscope.core.scoring.names import did_you_mean
from stepscope.core.settings import user_config_dir
from stepscope.core.typed_forms import dataclass_of
from stepscope.models.agents.prompts import filled, put_in

SHIPPED = Path(resources.__file__).resolve().parent / "ask_prompts"
USUAL = "navi-plus"
PLACES = (Platform.ANDROID.value, Platform.WEB.value, "none")
"""Of which data a sentence about the picture is told; none: where there is no picture."""
NAMED = {"instruction": ("task", "action", "elements", "seen"), "rewriting": ("task", "step")}
"""What the words of each question may name in braces."""
_WORDS = ("system", "user")
_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{0,39}")
_HINT = "See docs/models/ambiguous-tasks.md for what a prompt says."


@dataclass(frozen=True, slots=True)
class AskPrompt:
    """Two questions, each with `system` and `user`: what was done in a step (`instruction`), and the goal without what
    that step needs, with question and answer (`rewriting`). `seen` has a sentence for each of `PLACES`."""

    name: str
    title: str
    version: str
    source: str
    instruction: Mapping[str, str]
    rewriting: Mapping[str, str]
    seen: Mapping[str, str]

    def __post_init__(self) -> None:
        for table in NAMED:
            words = getattr(self, table)
            if set(words) != set(_WORDS) or not all(text.strip() for text in words.values()):
                raise ValueError(f"{table} must have {' and '.join(_WORDS)}, neither of them empty")
        for table, name in (("instruction", "{action}"), ("rewriting", "{task}"), ("rewriting", "{step}")):
            if name not in getattr(self, table)["user"]:
                raise ValueError(f"{name} is not in user of {table}")
        if set(self.seen) != set(PLACES):
            raise ValueError(f"seen must have {', '.join(PLACES)}")

    @property
    def digest(self) -> str:
        """The same for the same words, whatever the version says: eight letters."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:8]

    def words(self, table: str, values: Mapping[str, str]) -> tuple[str, str]:
        """What is said first and what is asked, with these values; lines that have nothing to say are left out."""
        told: Mapping[str, str] = getattr(self, table)
        return put_in(told["system"], values).strip(), filled(told["user"], values)


def own_folder() -> Path:
    """Where a person's own prompts lie; may not exist yet."""
    return user_config_dir() / "ask_prompts"


def file_of(name: str) -> Path | None:
    """The file that the prompt of this name is read from, one's own first; None for none."""
    places = (folder / f"{name}.toml" for folder in (own_folder(), SHIPPED))
    return next((file for file in places if _NAME.fullmatch(name) and file.is_file()), None)


def ask_prompts() -> tuple[dict[str, AskPrompt], list[UserError]]:
    """All by their names, and what is wrong with one's own that cannot be read."""
    found: dict[str, AskPrompt] = {}
    problems = []
    for file in (*sorted(SHIPPED.glob("*.toml")), *sorted(own_folder().glob("*.toml"))):
        try:
            one = read_ask_prompt(file)
        except UserError as error:
            problems.append(error)
        else:
            found[one.name] = one
    return found, problems


def ask_prompt(name: str) -> AskPrompt:
    """The prompt of that name. Raises UsageError where there is none, UserError for one that is broken."""
    file = file_of(name)
    if file is not None:
        return read_ask_prompt(file)
    known = ask_prompts()[0]
    raise UsageError(f"There is no prompt {name!r}.", hint=f"{did_you_mean(name, known)}Prompts: {', '.join(known)}.")


def read_ask_prompt(file: Path) -> AskPrompt:
    """The prompt of a file; its name is the file's. Raises UserError naming what is wrong with it."""
    try:
        return dataclass_of(AskPrompt, {**read_toml(file), "name": file.stem})
    except (OSError, ValueError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        raise UserError(f"is no prompt: {why}.", place=file, hint=_HINT) from error


def copy_ask_prompt(name: str, own: str) -> Path:
    """Copy a prompt among one's own, to be changed. Raises UsageError for a name that cannot be or is taken, UserError
    where it cannot be written."""
    ask_prompt(name)
    file, origin = own_folder() / f"{own}.toml", file_of(name)
    if not _NAME.fullmatch(own):
        raise UsageError(f"{own!r} is no name of a prompt.", hint="Small letters, digits, - and ., at most 40.")
    if file_of(own) is not None:
        raise UsageError(f"there is a prompt {own} already.", hint="Give your own another name.")
    assert origin is not None
    try:
        write_whole(file, origin.read_bytes())
    except OSError as error:
        raise UserError(f"cannot be written: {reason(error)}.", place=file, hint=advice(error)) from error
    return file
