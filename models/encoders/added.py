"""The encoders that a person added: `encoders.json` among the user's data. The weights stay where they lie; the list
says where that is, and which they were.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from stepscope.core.drafts import advice, reason, write_whole
from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.own_files import read_json
from stepscope.core.regular_files import is_file
from stepscope.core.scoring.names import did_you_mean
from stepscope.core.settings import user_data_dir
from stepscope.core.typed_forms import dataclass_of
from stepscope.models.encoders import families
from stepscope.models.encoders.encoder import EncoderInfo, EncoderKind
from stepscope.models.encoders.families import FAMILIES, Family
from stepscope.models.encoders.licence_words import licence_of

if TYPE_CHECKING:
    from stepscope.models.runtimes import weight_digest
else:
    weight_digest = lazy_module("stepscope.models.runtimes.weight_digest")

FILE_NAME = "encoders.json"
FORMAT = 1
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_ENDINGS = (".safetensors", ".pth", ".pt", ".bin", ".vec", ".txt")


@dataclass(frozen=True, slots=True)
class AddedEncoder:
    """`path` is absolute, a file or a folder; `files` are those in it that decide about vectors, `bytes` their size and
    `sha256` their digest (`weight_digest`). `size` is the length of the usual vectors, 0 where only loading tells."""

    name: str
    family: str
    path: str
    sha256: str
    bytes: int
    licence: str = ""
    added: str = ""
    size: int = 0
    files: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Addition:
    """What was added, and in words what it was taken for."""

    encoder: AddedEncoder
    taken_for: str


def load(file: Path | None = None) -> tuple[AddedEncoder, ...]:
    """The encoders in the order they were added; none without a file. Raises UserError naming file and entry."""
    file = file or list_file()
    try:
        form = read_json(file)
    except FileNotFoundError:
        return ()
    except (OSError, ValueError) as error:
        raise UserError(f"cannot be read: {error}", place=file, hint="Repair it, or delete it.") from error
    if not isinstance(form, dict) or form.get("format") != FORMAT or not isinstance(form.get("encoders"), list):
        raise UserError("is no list of encoders that this version reads.", place=file, hint="Delete it.")
    found = [_record(entry, file, number) for number, entry in enumerate(form["encoders"], start=1)]
    if len({one.name for one in found}) < len(found):
        raise UserError("two encoders have one name.", place=file, hint="Rename one.")
    return tuple(found)


def find(name: str) -> AddedEncoder:
    """Raises UsageError naming the nearest."""
    known = {one.name: one for one in load()}
    if name not in known:
        names = f"{did_you_mean(name, known)}Added: {', '.join(known)}." if known else "None was added yet."
        raise UsageError(f"No encoder {name!r} was added.", hint=f"{names} Add one: stepscope weights add PATH.")
    return known[name]


def add(
    path: Path, name: str = "", family: str = "", options: Mapping[str, str] | None = None, *, taken: Sequence[str] = ()
) -> Addition:
    """Put the weights at a path onto the list; they are looked at and hashed, not loaded.

    Without `family` it is told by what lies there, without `name` it is called as the file or folder is. `taken` are
    names in use elsewhere. Raises UsageError for a name in use, an option that the family has not or what cannot be
    told, UserError for weights that can never be loaded.
    """
    path = path.expanduser().resolve()
    if not path.exists():
        raise UserError("there is nothing.", place=path, hint="Choose a file or a folder of weights.")
    chosen, words, size = _family(path, family)
    given = {key: value for key, value in (options or {}).items() if value}
    if strange := sorted(set(given) - set(chosen.options)):
        hint = f"It has {' and '.join(chosen.options)}." if chosen.options else "It has none."
        raise UsageError(f"The family {chosen.name} has no option {strange[0]!r}.", hint=hint)
    known = load()
    name = _checked_name(name, {*taken, *(one.name for one in known)}) if name else free_name(path, taken)
    families.check(chosen, path, given)
    files = families.files_of(chosen, path)
    digest = weight_digest.digest_of_files(files)
    encoder = AddedEncoder(
        name,
        chosen.name,
        str(path),
        digest,
        sum(one.stat().st_size for one in files),
        licence_of(path),
        datetime.now(UTC).isoformat(timespec="seconds"),
        size,
        tuple(one.relative_to(path).as_posix() for one in files),
        given,
    )
    save([*known, encoder])
    return Addition(encoder, words)


def remove(name: str) -> None:
    """Take the encoder off the list; its files stay. Raises UsageError for an unknown name."""
    found = find(name)
    save([one for one in load() if one != found])


def save(encoders: Sequence[AddedEncoder], file: Path | None = None) -> None:
    """Write all of them, whole or not at all. Raises UserError."""
    file = file or list_file()
    form = {"format": FORMAT, "encoders": [asdict(one) for one in encoders]}
    try:
        write_whole(file, f"{json.dumps(form, indent=1, ensure_ascii=False)}\n".encode())
    except OSError as error:
        raise UserError(f"cannot be written: {reason(error)}", place=file, hint=advice(error)) from error


def list_file() -> Path:
    """Where the list is kept, among the user's data; may not exist yet."""
    return user_data_dir() / FILE_NAME


def check(one: AddedEncoder, *, anew: bool = False) -> Family:
    """Its family, once its files are those that were added; with `anew` every byte of them is read again. Raises
    UserError with both digests where they are others, or one is gone."""
    family = families.family(one.family)
    found = weight_digest.digest_of_files(families.files_of(family, Path(one.path)), anew=anew)
    if found != one.sha256:
        raise UserError(
            f"has changed since it was added as {one.name}: its SHA-256 is {found}, it was {one.sha256}.",
            place=one.path,
            hint=f"Put the files back, or add it anew: stepscope weights remove {one.name}, then add it.",
        )
    return family


def info(one: AddedEncoder) -> EncoderInfo:
    """The encoder as it is listed. Looks only at which files are there and how large they are."""
    family = FAMILIES.get(one.family)
    why_not = _absence(one)
    weights: Literal["present", "absent"] = "absent" if why_not else "present"
    return EncoderInfo(
        one.name,
        family.title if family else one.family,
        family.kind if family else EncoderKind.TEXT,
        one.size,
        one.licence,
        why_not or one.path,
        weights,
        family.outputs if family else ("pooled",),
        bytes=one.bytes,
        sha256=one.sha256,
        added=True,
    )


def _absence(one: AddedEncoder) -> str:
    """Why the encoder cannot be used, "" where nothing is in the way that can be seen from outside."""
    if one.family not in FAMILIES:
        return f"its family {one.family} is unknown to this version"
    files = [Path(one.path) / name for name in one.files]
    if gone := next((file for file in files if not is_file(file)), None):
        return f"{gone} is gone. Put it back, or take {one.name} off the list."
    size = sum(file.stat().st_size for file in files)
    return "" if size == one.bytes else f"{one.path} has changed since it was added. Put it back, or add it anew."


def _family(path: Path, wanted: str) -> tuple[Family, str, int]:
    """The family, in words what it was taken for, and the length of its vectors."""
    if wanted:
        one = families.family(wanted)
        guess = one.recognise(path)
        return one, guess.words if guess else f"{one.title}, as you say", guess.size if guess else 0
    found = families.recognised(path)
    if found is None:
        hint = f"Say what it is with --as: {', '.join(FAMILIES)}."
        raise UsageError(f"{path} is nothing that is known as an encoder.", hint=hint)
    return found[0], found[1].words, found[1].size


def free_name(path: Path, taken: Sequence[str] = ()) -> str:
    """A name out of that of the file or folder, with a number behind it where it is in use."""
    stem = path.name
    for ending in _ENDINGS:
        stem = stem.removesuffix(ending)
    name = re.sub(r"[^a-z0-9._-]+", "-", stem.lower()).strip("._-")[:36] or "encoder"
    used = {*taken, *(one.name for one in load())}
    numbered = (f"{name}-{number}" for number in range(2, len(used) + 2))
    return name if name not in used else next(one for one in numbered if one not in used)


def _checked_name(name: str, used: set[str]) -> str:
    if NAME.fullmatch(name) is None:
        raise UsageError(f"{name!r} cannot be the name of an encoder.", hint="Use a-z, digits, - _ . (at most 40).")
    if name in used:
        raise UsageError(f"There is an encoder {name!r} already.", hint="Choose another name, or remove that one.")
    return name


def _record(entry: Any, file: Path, number: int) -> AddedEncoder:
    place = f"encoder {number}"
    rest = dict(entry) if isinstance(entry, dict) else {}
    options = rest.pop("options", {})
    if not isinstance(options, dict) or not all(isinstance(one, str) for one in (*options, *options.values())):
        raise UserError("options are no texts by name.", place=file, record=place)
    try:
        form = dataclass_of(AddedEncoder, rest)
    except ValueError as error:
        raise UserError(f"{error}.", place=file, record=place, hint="Repair it, or delete it.") from error
    if NAME.fullmatch(form.name) is None or _DIGEST.fullmatch(form.sha256) is None or form.bytes < 0:
        raise UserError("its name, sha256 or bytes cannot be.", place=file, record=place, hint="Repair it.")
    return AddedEncoder(**{**asdict(form), "options": options})
