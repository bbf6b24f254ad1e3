"""What this program stands on, with the licences under which that comes."""

from __future__ import annotations

import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from stepscope.core.frozen import dataclass

OWN, OWN_LICENCE = "stepscope", "Apache-2.0"
_CLASSIFIER = "License :: OSI Approved :: "
_NAME = re.compile(r"[A-Za-z0-9._-]+")
LONGEST = 60
"""A licence field that is longer is the licence itself."""


@dataclass(frozen=True, slots=True)
class LibraryLicence:
    """A library that is installed here; `optional` ones are not needed for the program itself."""

    name: str
    version: str
    licence: str
    optional: bool


def library_licences() -> list[LibraryLicence]:
    """What the program needs and what is installed of the rest, by name. Looks into many files."""
    found: dict[str, LibraryLicence] = {}
    _walk(OWN, found, optional=False)
    return sorted((one for name, one in found.items() if name != OWN), key=lambda one: one.name.casefold())


def _walk(name: str, found: dict[str, LibraryLicence], *, optional: bool) -> None:
    key = _key(name)
    known = found.get(key)
    if known is not None and (optional or not known.optional):
        return
    try:
        there = distribution(name)
    except PackageNotFoundError:
        return
    found[key] = LibraryLicence(there.name, there.version, licence_of(there), optional)
    for line in there.requires or ():
        needed, _, marker = line.partition(";")
        match = _NAME.match(needed.strip())
        if match is not None:
            _walk(match.group(), found, optional=optional or "extra" in marker)


def licence_of(there: Distribution) -> str:
    """The licence as the library's metadata says it, in a few words; "not said" where it does not."""
    metadata = there.metadata
    if expression := _field(there, "License-Expression"):
        return expression
    classifiers = [
        str(line).removeprefix(_CLASSIFIER)
        for line in metadata.get_all("Classifier") or ()
        if str(line).startswith(_CLASSIFIER)
    ]
    if classifiers:
        return ", ".join(classifiers)
    said = _field(there, "License").strip()
    first = said.splitlines()[0].strip() if said else ""
    return (first if len(first) <= LONGEST else f"{first[:LONGEST]}…") or "not said"


def _field(there: Distribution, name: str) -> str:
    """A field of the metadata, "" where it is not there."""
    found = there.metadata.get_all(name)
    return str(found[0]) if found else ""


def _key(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).casefold()
