"""Where this program keeps its things, and which store it opens when none is named.

The folder in the environment variable STEPSCOPE_HOME, when set, takes the place of all of the user's own folders:
a test, a second installation or a stick carries everything in one place.
"""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import PlatformDirs

HOME_VARIABLE = "STEPSCOPE_HOME"
STORE_NAME = "stepscope.db"

_DIRECTORIES = PlatformDirs("stepscope", appauthor=False)


def user_data_dir() -> Path:
    """Folder of the store and the user's own models; may not exist yet."""
    return _folder("data", _DIRECTORIES.user_data_path)


def user_cache_dir() -> Path:
    """Folder of what can be made again at any time."""
    return _folder("cache", _DIRECTORIES.user_cache_path)


def user_config_dir() -> Path:
    """Folder of presets and of other choices that a person made; may not exist yet."""
    return _folder("config", _DIRECTORIES.user_config_path)


def user_log_dir() -> Path:
    """Folder of logs and crash files."""
    return _folder("logs", _DIRECTORIES.user_log_path)


def default_store_url() -> str:
    """SQLAlchemy URL of the user's own store, a SQLite file."""
    return store_url(user_data_dir() / STORE_NAME)


def store_url(path: Path) -> str:
    """SQLAlchemy URL of a SQLite file."""
    escaped = str(path.absolute()).replace("%", "%25").replace("?", "%3F").replace("#", "%23")
    return f"sqlite:///{escaped}"


def _folder(name: str, usual: Path) -> Path:
    home = os.environ.get(HOME_VARIABLE)
    return Path(home).expanduser().absolute() / name if home else usual
