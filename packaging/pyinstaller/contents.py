"""What lies in the bundle and from whom it comes: from an installed package, from Python itself or from the system."""

from __future__ import annotations

import os
import re
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import Distribution, distributions
from pathlib import Path

PYTHON, SYSTEM, BUILD = "python", "system", "build"
"""Owners that are no packages: Python, the system, and PyInstaller, which writes some files itself."""
Entry = dict[str, str]
"""`place` in the bundle, `source` on the machine that builds it, `owner`: the name of a package, or one of these."""
Row = tuple[str, str, str]
"""Of a table of PyInstaller: place in the bundle, source, kind."""
_NSS = re.compile(r"lib(softokn3|freebl3|freeblpriv3|nssckbi|nssdbm3)\.(so|chk)$")
_LATER = ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json")


def of(*tables: Iterable[Row], built: Path) -> list[Entry]:
    """Every file of PyInstaller's tables, with its owner. What lies in `built`, PyInstaller has written."""
    owners = dict(_owned())
    return [
        {"place": place, "source": source, "owner": _owner(Path(source).resolve(), owners, built)}
        for table in tables
        for place, source, kind in table
        if source not in ("", "-", None) and kind != "SYMLINK"
    ]


def _owned() -> Iterator[tuple[str, Distribution]]:
    """Every file of every installed package."""
    for package in distributions():
        folder = Path(str(package.locate_file(""))).resolve()
        for file in package.files or ():
            yield os.path.normpath(folder / file), package


def _owner(file: Path, owners: dict[str, Distribution], built: Path) -> str:
    package = owners.get(str(file))
    if package is not None:
        return package.name
    if file.is_relative_to(built):
        return BUILD
    in_python = file.is_relative_to(Path(sysconfig.get_path("stdlib")).resolve()) or file.name.startswith("libpython")
    return PYTHON if in_python else SYSTEM


def without_orphans(binaries: Sequence[Row], inside: Iterable[Entry]) -> list[Row]:
    """The table without the system's libraries that nothing in it is linked against: PyInstaller took them along for
    plugins that are left out. What NSS opens by name while it runs stays."""
    system = {entry["place"] for entry in inside if entry["owner"] == SYSTEM}
    waiting = [one for one in binaries if one[0] not in system or _NSS.match(one[0])]
    reached = {one[0]: one for one in waiting}
    by_name = {Path(one[0]).name: one for one in binaries}
    while waiting:
        for name in _linked(Path(waiting.pop()[1])):
            found = by_name.get(name)
            if found is not None and found[0] not in reached:
                reached[found[0]] = found
                waiting.append(found)
    return [one for one in binaries if one[0] in reached]


def _linked(library: Path) -> list[str]:
    """The names of the libraries that one is linked against."""
    from PyInstaller.depend.bindepend import get_imports

    return [Path(name).name for name, _place in get_imports(str(library))] if library.is_file() else []


def metadata(inside: Iterable[Entry]) -> list[Row]:
    """PyInstaller's table of the facts about every package in the bundle, for which the program asks."""
    names = {entry["owner"] for entry in inside} | {"PySide6"}  # of PySide6 nothing but these is its own
    return [
        (str(file), str(package.locate_file(file)), "DATA")
        for package in distributions()
        if package.name in names
        for file in package.files or ()
        if file.parts[0].endswith(".dist-info") and file.name not in _LATER
    ]
