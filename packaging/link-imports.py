"""Lays the modules out as they are imported: `link-imports.py FOLDER` makes FOLDER/stepscope of links to them.

For tools that read code without running it (mypy, import-linter): they take a module's name from its path, and the
rooms lie at the top of the repository. What was deleted there is deleted in FOLDER.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("app", "core", "models", "resources", "widgets")
ENDINGS = (".py", ".pyi", ".typed")


def wanted(root: Path) -> dict[Path, Path]:
    """The place of each module inside the package, and its file."""
    found = {Path("stepscope", file.name): file for file in (root / "stepscope").iterdir() if file.suffix in ENDINGS}
    for room in ROOMS:
        for file in (root / room).rglob("*"):
            if file.suffix in ENDINGS and file.is_file():
                found[Path("stepscope") / file.relative_to(root)] = file
    return found


def link(root: Path, folder: Path) -> None:
    files = {folder / place: file for place, file in wanted(root).items()}
    for old in folder.rglob("*"):
        if old.is_symlink() and (old not in files or not old.exists()):
            old.unlink()
    for old in sorted((one for one in folder.rglob("*") if one.is_dir()), reverse=True):
        if not any(old.iterdir()):
            old.rmdir()
    for place, file in files.items():
        if not place.is_symlink():
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(os.path.relpath(file, place.parent))


if __name__ == "__main__":
    link(ROOT, Path(sys.argv[1]))
