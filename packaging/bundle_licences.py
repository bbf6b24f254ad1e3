"""Collects the licences of all that is bundled into one file, and tells what may not be passed on with the program.

    python packaging/bundle_licences.py CONTENTS FOLDER

CONTENTS is what `packaging/pyinstaller/contents.py` wrote while the bundle in FOLDER was built; this runs in the
environment that it was built of, and writes LICENCES.txt into FOLDER. The exit status is 1 where a package is under the
GPL, where nobody has said under what it is, or where a library lies in FOLDER that may not.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import Distribution, distribution
from pathlib import Path

from known_licences import GPL_LIBRARIES, SEEN, SYSTEM
from licence_words import fault

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "pyinstaller"))
import contents  # noqa: E402 - beside the spec, which needs it too
import qt_parts  # noqa: E402

NAME = "LICENCES.txt"
_TEXTS = re.compile(r"(LICEN[CS]E|COPYING|NOTICE|AUTHORS|ThirdPartyNotices|MODEL_LICEN|CC-BY)[^/]*$", re.I)
_CODE = (".py", ".pyc", ".pyi", ".so")
HEAD = """Stepscope is passed on under the Apache License 2.0. With it come the packages and libraries below,
each under its own licence.

Qt, PySide6 and some others come under the GNU Lesser General Public License. They lie in the folder of this file as
libraries of their own, and may be replaced there by changed ones. Their sources: PySide6 and Qt at
https://download.qt.io/official_releases/, the others where their texts say. What Qt has of others is listed at
https://doc.qt.io/qt-6/licenses-used-in-qt.html, and of Chromium, which QtWebEngine has inside, at
https://doc.qt.io/qt-6/qtwebengine-licensing.html.

The program is started by PyInstaller's bootloader. It is under the GPL with an exception that allows it to be part of
programs of any licence; PyInstaller itself is not here.
"""


def main(listed: Path, folder: Path) -> int:
    inside: list[contents.Entry] = json.loads(listed.read_text("utf-8"))
    packages = packages_in(inside)
    system = debian_packages(entry["source"] for entry in inside if entry["owner"] == contents.SYSTEM)
    licences = {name: licence_of(package) for name, package in packages.items()}
    found = [*package_faults(licences), *system_faults(system), *file_faults(folder)]
    (folder / NAME).write_text(file_text(packages, licences, system), "utf-8")
    print(f"{NAME}: {len(packages)} packages, {len(set(system.values()))} of the system")
    for one in found:
        print(one)
    return int(bool(found))


def packages_in(inside: Iterable[contents.Entry]) -> dict[str, Distribution]:
    """The installed packages of which anything is bundled, by name."""
    others = (contents.PYTHON, contents.SYSTEM, contents.BUILD)
    return {name: distribution(name) for name in sorted({entry["owner"] for entry in inside}, key=str.casefold)
            if name not in others}  # fmt: skip


def licence_of(package: Distribution) -> str:
    from stepscope.app.services.licences import licence_of as stated  # the bundled one's own

    return SEEN.get(package.name) or stated(package)


def package_faults(licences: Mapping[str, str]) -> Iterator[str]:
    for name, licence in licences.items():
        if why := fault(licence):
            yield f"{name} may not be bundled: {why}"


def debian_packages(files: Iterable[str]) -> dict[str, str]:
    """The Debian package of each of these files, "" where none has it."""
    return {file: _debian_package(Path(file)) for file in files}


def _debian_package(file: Path) -> str:
    if shutil.which("dpkg-query") is None:
        return ""
    real = str(file.resolve())
    for place in (str(file), real, real.removeprefix("/usr")):  # dpkg knows it as it was packed, with /usr or without
        done = subprocess.run(["dpkg-query", "--search", place], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return done.stdout.partition(":")[0]
    return ""


def system_faults(system: Mapping[str, str]) -> Iterator[str]:
    for file, package in system.items():
        if why := fault(SYSTEM[package]) if package in SYSTEM else "nobody has looked at its licence":
            yield f"{file} of {package or 'no Debian package'} may not be bundled: {why}"


def file_faults(folder: Path) -> Iterator[str]:
    """Libraries in the bundle that may not lie there, whoever brought them."""
    for file in sorted(one for one in folder.rglob("*") if one.is_file()):
        place = file.relative_to(folder).as_posix()
        part = qt_parts.part_of(place)
        if part in qt_parts.GPL_ONLY:
            yield f"{place} may not be bundled: Qt {part} comes under the GPL"
        elif not qt_parts.is_wanted(place):
            yield f"{place} may not be bundled: it is no part of Qt that qt_parts.py names"
        elif GPL_LIBRARIES.match(file.name):
            yield f"{place} may not be bundled: it comes under the GPL"
        elif re.match(r"lib(av|sw)[a-z]+[-.]", file.name) and is_gpl_ffmpeg(file.read_bytes()):
            yield f"{place} may not be bundled: this FFmpeg was built with parts under the GPL"


def is_gpl_ffmpeg(library: bytes) -> bool:
    """FFmpeg's libraries carry the words with which they were configured."""
    return b"--enable-gpl" in library or b"--enable-nonfree" in library


def file_text(packages: Mapping[str, Distribution], licences: Mapping[str, str], system: Mapping[str, str]) -> str:
    parts = [HEAD, _list(packages, licences, system)]
    parts += [
        _section(f"{name} {package.version}", licences[name], texts_of(package)) for name, package in packages.items()
    ]
    parts.append(_section(f"Python {sys.version.split()[0]}", "PSF-2.0", [_python_text()]))
    for name in sorted(set(system.values())):
        copyrights = Path("/usr/share/doc", name, "copyright")
        parts.append(_section(name, SYSTEM.get(name, "?"), [_read(copyrights)] if copyrights.is_file() else []))
    for text in sorted((HERE / "pyinstaller" / "texts").iterdir()):
        parts.append(_section(text.name, "the licence itself", [_read(text)]))
    return "\n".join(parts)


def _list(packages: Mapping[str, Distribution], licences: Mapping[str, str], system: Mapping[str, str]) -> str:
    lines = [f"{name} {package.version}: {licences[name]}" for name, package in packages.items()]
    lines += [f"{name} (Debian): {SYSTEM.get(name, '?')}" for name in sorted(set(system.values()))]
    return "\n".join(lines) + "\n"


def _section(name: str, licence: str, texts: Iterable[str]) -> str:
    bodies = list(dict.fromkeys(text.strip() for text in texts)) or ["It brings no text. Its licence is named above."]
    return "\n\n".join(["=" * 100 + f"\n{name}: {licence}\n" + "=" * 100, *bodies]) + "\n"


def texts_of(package: Distribution) -> list[str]:
    """The licences, notices and authors that a package brings as files of words."""
    files = [file for file in package.files or () if _TEXTS.search(file.name) and file.suffix not in _CODE]
    places = [Path(str(package.locate_file(file))) for file in files]
    return [_read(place) for place in places if place.is_file()]


def _python_text() -> str:
    places = [Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"]
    places += [Path(f"/usr/share/doc/python{sys.version_info[0]}.{sys.version_info[1]}/copyright")]
    return next((_read(place) for place in places if place.is_file()), "https://docs.python.org/3/license.html")


def _read(file: Path) -> str:
    return file.read_text("utf-8", errors="replace")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
