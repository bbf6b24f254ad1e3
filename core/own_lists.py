"""Lists of a person's own in JSON files among the settings: of named values, in the order in which they were added."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Generic, TypeVar

from stepscope.core.drafts import advice, reason, write_whole
from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.own_files import read_json
from stepscope.core.scoring.names import did_you_mean
from stepscope.core.settings import user_config_dir

T = TypeVar("T")
FORMAT = 1


@dataclass(frozen=True, slots=True)
class OwnList(Generic[T]):
    """`word` is what one of them is called and `words` several, the file's key as well. `read` makes one of an entry of
    the file, given with the file and its number from 1, and raises UserError; `add_hint` says how one is added,
    `name_hint` what to do where a name is in use."""

    word: str
    words: str
    read: Callable[[Any, Path, int], T]
    add_hint: str
    name_hint: str

    @property
    def file(self) -> Path:
        """Where they are kept; may not exist yet."""
        return user_config_dir() / f"{self.words}.json"

    def load(self, file: Path | None = None) -> tuple[T, ...]:
        """In the order they were added; none where there is no file. Raises UserError naming file and entry."""
        file = file or self.file
        try:
            form = read_json(file)
        except FileNotFoundError:
            return ()
        except (OSError, ValueError) as error:
            raise UserError(f"cannot be read: {error}", place=file, hint="Repair it, or delete it.") from error
        entries = form.get(self.words) if isinstance(form, dict) and form.get("format") == FORMAT else None
        if not isinstance(entries, list):
            raise UserError(f"is no list of {self.words} that this version reads.", place=file, hint="Delete it.")
        found = tuple(self.read(entry, file, number) for number, entry in enumerate(entries, start=1))
        if len({_name(one) for one in found}) < len(found):
            raise UserError(f"two {self.words} have one name.", place=file, hint="Rename one.")
        return found

    def save(self, values: Sequence[T], file: Path | None = None) -> None:
        """Write all of them, whole or not at all. Raises UserError."""
        file = file or self.file
        form = {"format": FORMAT, self.words: [asdict(one) for one in values]}  # type: ignore[call-overload]
        text = f"{json.dumps(form, indent=1, ensure_ascii=False)}\n"
        try:
            write_whole(file, text.encode("utf-8", "surrogateescape"))
        except OSError as error:
            raise UserError(f"cannot be written: {reason(error)}", place=file, hint=advice(error)) from error

    def add(self, value: T, *, replace: bool = False) -> None:
        """Keep it, in its place where one of that name is replaced. Raises UsageError for a name that is in use."""
        name, known = _name(value), self.load()
        if not any(_name(one) == name for one in known):
            self.save([*known, value])
        elif replace:
            self.save([value if _name(one) == name else one for one in known])
        else:
            raise UsageError(f"There is a {self.word} {name!r} already.", hint=self.name_hint)

    def remove(self, name: str) -> T:
        """Forget it. Raises UsageError for an unknown name."""
        found = self.find(name)
        self.save([one for one in self.load() if one != found])
        return found

    def find(self, name: str) -> T:
        """Raises UsageError naming the nearest."""
        known = {_name(one): one for one in self.load()}
        if name not in known:
            names = "None was added yet."
            if known:
                names = f"{did_you_mean(name, known)}{self.words.capitalize()}: {', '.join(known)}."
            raise UsageError(f"There is no {self.word} {name!r}.", hint=f"{names} {self.add_hint}")
        return known[name]


def _name(value: object) -> str:
    return str(value.name)  # type: ignore[attr-defined]
