"""The self-contained program that people get as an AppImage, a Debian package or an installer: its Python lies inside
it, takes no further packages and cannot be asked with `python -m`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

CHILD = "--child"
"""What the self-contained program is given before the name of a module of ours that it is to run."""
SEARCHED = "LD_LIBRARY_PATH"
"""The folders in which Linux looks for libraries before its own, as it stands in the environment."""
NO_PIP = "This self-contained program takes no packages: for that, install Stepscope itself with pip."


def is_bundle() -> bool:
    """Whether this is the self-contained program. PyInstaller sets the mark before anything of ours is run."""
    return bool(getattr(sys, "frozen", False))


def look_into_own_folder() -> dict[str, str]:
    """What the environment of a child of ours has more than ours, so that QtWebEngine in it finds the libraries that
    lie in the self-contained program. `app.bundled` takes it away for programs of the machine."""
    if not is_bundle() or sys.platform != "linux":
        return {}
    folders = (getattr(sys, "_MEIPASS", ""), os.environ.get(SEARCHED, ""))
    return {SEARCHED: os.pathsep.join(filter(None, folders))}


def licence_file() -> Path | None:
    """The licences of all that lies in the self-contained program; None from sources, which have nothing inside."""
    file = Path(getattr(sys, "_MEIPASS", ""), "LICENCES.txt")
    return file if is_bundle() and file.is_file() else None


def possible(hint: str) -> str:
    """The hint, with what is true of the self-contained program where it tells of pip."""
    if "pip install" not in hint or not is_bundle():
        return hint
    return f"{hint.removesuffix('.')}. {NO_PIP}"
