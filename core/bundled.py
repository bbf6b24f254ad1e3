"""The self-contained program that people get as an AppImage, a Debian package or an installer: its Python lies inside
it, takes no further packages and cannot be asked with `python -m`."""

from __future__ import annotations

import sys

CHILD = "--child"
"""What the self-contained program is given before the name of a module of ours that it is to run."""
NO_PIP = "This self-contained program takes no packages: for that, install Stepscope itself with pip."


def is_bundle() -> bool:
    """Whether this is the self-contained program. PyInstaller sets the mark before anything of ours is run."""
    return bool(getattr(sys, "frozen", False))


def possible(hint: str) -> str:
    """The hint, with what is true of the self-contained program where it tells of pip."""
    if "pip install" not in hint or not is_bundle():
        return hint
    return f"{hint.removesuffix('.')}. {NO_PIP}"
