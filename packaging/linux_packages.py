"""What Linux people take the bundle as: a Debian package and an AppImage, made of one tree of files.

The tree has the bundle's folder as `usr/lib/stepscope` and beside it what desktops look for: the entry of the menu with
its icon, the kinds of files that are Stepscope's, and that `stepscope://` leads to it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from built import ROOT, megabytes_of, run

DESKTOP = ROOT / "packaging" / "desktop"
LISTED = ROOT / "packaging" / "debian-packages.txt"
NAME = "stepscope"
NEEDED = ("Qt:", "QtWebEngine")
HELPFUL = ("Fonts", "WordNet")
"""Headings of `debian-packages.txt`: what the program does not start without, and what it can be without."""
OF_THE_MACHINE = (
    "libc6 (>= 2.36)", "libstdc++6 (>= 12)", "libgcc-s1", "libdrm2", "libgbm1", "libx11-6", "libx11-xcb1", "libxcb1",
    "libfreetype6", "libexpat1", "zlib1g", "libgl1", "libudev1",
)  # fmt: skip
"""Packages of the libraries that the bundle leaves to the machine, and of the C library that it was built with."""
RUNTIME = "APPIMAGE_RUNTIME"
"""Names the program that an AppImage begins with, which mounts what comes behind it: a file of the project
type2-runtime (MIT), which no package index has."""
APP_RUN = """#!/bin/sh
exec "$(dirname "$(readlink -f "$0")")/usr/lib/stepscope/stepscope" "$@"
"""


def listed(headings: tuple[str, ...]) -> list[str]:
    """The packages under those headings of `debian-packages.txt` that begin so."""
    found, here = [], False
    for line in LISTED.read_text("utf-8").splitlines():
        if line.startswith("#"):
            here = line.removeprefix("# ").startswith(headings)
        elif here:
            found.append(line)
    return found


def lay_out(bundle: Path, icons: Path, tree: Path) -> None:
    """The tree, of links to the bundle's files where the disk can: it is a gigabyte."""
    share, library = tree / "usr" / "share", tree / "usr" / "lib" / NAME
    shutil.copytree(bundle, library, symlinks=True, copy_function=_link)
    (tree / "usr" / "bin").mkdir()
    (tree / "usr" / "bin" / NAME).symlink_to(f"../lib/{NAME}/{NAME}")
    _put(DESKTOP / "stepscope.desktop", share / "applications")
    _put(DESKTOP / "stepscope.xml", share / "mime" / "packages")
    _put(DESKTOP / "org.stepscope.Stepscope.metainfo.xml", share / "metainfo")
    _put(ROOT / "resources" / "icons" / "stepscope.svg", share / "icons/hicolor/scalable/apps")
    for icon in icons.glob("*.png"):
        _put(icon, share / f"icons/hicolor/{icon.stem}x{icon.stem}/apps", f"{NAME}.png")
    _put(library / "_internal" / "LICENCES.txt", share / "doc" / NAME, "copyright")


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # another disk, or one without such links
        shutil.copy2(source, target)


def _put(file: Path, folder: Path, name: str = "") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, folder / (name or file.name))


def control(version: str, architecture: str, megabytes: int) -> str:
    """What dpkg is told of the package."""
    facts = {
        "Package": NAME,
        "Version": version,
        "Architecture": architecture,
        # dpkg wants an address, and the project has none: who passes the package on puts in theirs
        "Maintainer": "The Stepscope developers <stepscope@localhost>",
        "Installed-Size": str(megabytes * 1000),
        "Depends": ", ".join([*OF_THE_MACHINE, *listed(NEEDED)]),
        "Recommends": ", ".join(listed(HELPFUL)),
        "Section": "devel",
        "Priority": "optional",
        "Description": "workbench for people who build GUI agents\n"
        " Opens recorded episodes, steps through them with the recorded and the predicted\n"
        " action drawn over the screen, evaluates models by the papers' own rules, and\n"
        " shows where one goes wrong.",
    }
    return "".join(f"{name}: {value}\n" for name, value in facts.items())


def make_deb(tree: Path, version: str, folder: Path) -> Path:
    """The Debian package of the tree, packed by zstd, which dpkg reads from Debian 12 on: xz takes ten minutes."""
    architecture = run(["dpkg", "--print-architecture"], folder).strip()
    facts = tree / "DEBIAN"
    facts.mkdir()
    (facts / "control").write_text(control(version, architecture, megabytes_of(tree)), "utf-8")
    file = folder / f"{NAME}_{version}_{architecture}.deb"
    run(["dpkg-deb", "--build", "--root-owner-group", "-Zzstd", "-z9", tree, file], folder)
    shutil.rmtree(facts)
    return file


def make_image(tree: Path, version: str, folder: Path) -> Path:
    """The tree as AppImages have it, packed: what an AppImage is behind the program that it begins with."""
    (tree / "AppRun").write_text(APP_RUN, "utf-8")
    (tree / "AppRun").chmod(0o755)
    _put(DESKTOP / "stepscope.desktop", tree)
    _put(tree / "usr/share/icons/hicolor/256x256/apps/stepscope.png", tree)
    (tree / ".DirIcon").symlink_to("stepscope.png")
    file = folder / f"Stepscope-{version}-{os.uname().machine}.squashfs"
    run(["mksquashfs", tree, file, "-root-owned", "-noappend", "-no-progress", "-comp", "zstd"], folder)
    return file


def make_appimage(image: Path) -> Path | None:
    """The AppImage of the packed tree, None where the program that it begins with is not here."""
    runtime = os.environ.get(RUNTIME, "")
    if not runtime:
        return None
    file = image.with_suffix(".AppImage")
    with file.open("wb") as stream:
        for part in (Path(runtime), image):
            with part.open("rb") as source:
                shutil.copyfileobj(source, stream)
    file.chmod(0o755)
    return file


def check(tree: Path, folder: Path) -> list[str]:
    """What the tools that know of such files find wrong with them, as far as these tools are here."""
    share = tree / "usr" / "share"
    commands: tuple[list[object], ...] = (
        ["desktop-file-validate", share / "applications" / "stepscope.desktop"],
        ["appstreamcli", "validate", "--no-net", share / "metainfo" / "org.stepscope.Stepscope.metainfo.xml"],
    )
    found = []
    for command in commands:
        if shutil.which(str(command[0])) is None:
            print(f"{command[0]} is not here: not asked")
            continue
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
        if done.returncode:
            found.append(f"{command[0]} says:\n{(done.stdout + done.stderr).strip()}")
    return found + list(unknown_kinds(share / "mime", folder / "mime"))


def unknown_kinds(given: Path, kinds: Path) -> Iterator[str]:
    """Whether the desktop's own tool reads our kinds of files. It writes tables beside them, so it gets a copy, and its
    exit status is 0 whatever it reads."""
    shutil.copytree(given, kinds)
    run(["update-mime-database", kinds], kinds)
    if "application/x-stepscope-run:*.bundle\n" not in (kinds / "globs2").read_text("utf-8"):
        yield "update-mime-database does not know a run bundle by its name"
