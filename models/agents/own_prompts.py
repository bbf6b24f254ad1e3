"""A person's own words for an agent: a copy of its adapter among one's own, with another prompt and a version of its
own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stepscope.core.drafts import advice, reason, write_whole
from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.own_files import read_toml
from stepscope.models.agents.adapter import PROMPTS, SHIPPED, Adapter, file_of, own_folder, read_adapter
from stepscope.models.own.toml_text import toml_text

_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{0,39}")


@dataclass(frozen=True, slots=True)
class PromptWords:
    """The words of one prompt as they can be changed."""

    system: str
    user: str


def words_of(adapter: Adapter) -> dict[str, PromptWords]:
    """The words of each prompt that the adapter has, by where it stands."""
    found = {name: getattr(adapter, name) for name in PROMPTS}
    return {name: PromptWords(one.system, one.user) for name, one in found.items() if one is not None}


def own_name(adapter: Adapter) -> str:
    """What a copy is called unless somebody says otherwise: one's own keep theirs."""
    return adapter.name if _is_own(adapter) else f"{adapter.name}-own"


def save_prompts(adapter: Adapter, name: str, words: Mapping[str, PromptWords]) -> Adapter:
    """Keep the adapter under this name with these words, each changed prompt with the next version; what stands there
    under the name is replaced where it is a copy of the same. Raises UsageError for a name that cannot be or is taken,
    UserError for words that are no prompt and for a file that cannot be written."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name of an adapter.", hint="Small letters, digits, - and ., at most 40.")
    file = own_folder() / f"{name}.toml"
    if (SHIPPED / f"{name}.toml").is_file():
        raise UsageError(f"{name} is an adapter of the program.", hint="Give your own another name.")
    if file.is_file() and adapter.name != name:
        raise UsageError(f"you have an adapter {name} already.", hint="Change that one, or give another name.")
    source = file_of(adapter)
    if source is None:
        raise UsageError(f"the file of the adapter {adapter.name} is gone.")
    form = read_toml(source)
    for place, one in words.items():
        form[place] = _changed(form[place], one)
    if adapter.name != name:
        form["title"] = f"{form['title']} ({name})"
        form["models"] = []  # it is chosen by hand: names of models mean the one it was made of
    return _written(file, form)


def _written(file: Path, form: dict[str, Any]) -> Adapter:
    """The adapter that the file holds now; one that is none leaves what was there."""
    before = file.read_bytes() if file.is_file() else None
    try:
        write_whole(file, toml_text(form).encode())
    except OSError as error:
        raise UserError(f"cannot be written: {reason(error)}.", place=file, hint=advice(error)) from error
    try:
        return read_adapter(file)
    except UserError:
        if before is None:
            file.unlink(missing_ok=True)
        else:
            write_whole(file, before)
        raise


def _changed(prompt: Mapping[str, Any], words: PromptWords) -> dict[str, Any]:
    if (prompt.get("system", ""), prompt["user"]) == (words.system, words.user):
        return dict(prompt)
    return {**prompt, "system": words.system, "user": words.user, "version": _next(str(prompt["version"]))}


def _next(version: str) -> str:
    """1 becomes 1+1, that 1+2: what is ours tells which version of the program's it was made of."""
    base, _, own = version.partition("+")
    return f"{base}+{int(own) + 1 if own.isdecimal() else 1}"


def _is_own(adapter: Adapter) -> bool:
    return file_of(adapter) == own_folder() / f"{adapter.name}.toml"
