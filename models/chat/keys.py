"""Keys of servers: in the system's keyring and nowhere else, or, without a desktop, in an environment variable."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from types import ModuleType
from typing import Literal, TypeVar

from stepscope.core.errors import UnavailableError, UserError

SERVICE = "stepscope"
T = TypeVar("T")
Place = Literal["environment", "keyring", "none"]


def variable(name: str) -> str:
    """The environment variable that holds the key of this server: STEPSCOPE_KEY_LAB for "lab"."""
    return f"STEPSCOPE_KEY_{re.sub('[^A-Z0-9]', '_', name.upper())}"


def of_environment(name: str) -> str:
    """The key that the environment holds, "" where it holds none."""
    return os.environ.get(variable(name), "").strip()


def get(name: str) -> str | None:
    """The key: of the environment, else of the keyring; None where there is none, or no keyring to ask."""
    if found := of_environment(name):
        return found
    try:
        return _asked(name, lambda ring: ring.get_password(SERVICE, name)) or None
    except UnavailableError:
        return None  # a server may do without a key


def place(name: str) -> Place:
    """Where the key is."""
    if of_environment(name):
        return "environment"
    return "keyring" if get(name) else "none"


def set(name: str, key: str) -> None:
    """Keep the key in the keyring. Raises UnavailableError where there is none, UserError where it says no."""
    key = key.strip()
    if not key or not key.isascii() or not key.isprintable():
        raise UserError("A key is one line of plain letters and signs.")
    _asked(name, lambda ring: ring.set_password(SERVICE, name, key))


def delete(name: str) -> None:
    """Take the key out of the keyring, if it is there. Raises as `set`."""
    _asked(name, lambda ring: ring.get_password(SERVICE, name) and ring.delete_password(SERVICE, name))


def _asked(name: str, ask: Callable[[ModuleType], T]) -> T:
    hint = f"Put the key into the environment variable {variable(name)}."
    try:
        import keyring
        from keyring.errors import KeyringError, NoKeyringError
    except ImportError as error:
        hint += " Or install the extra: pip install stepscope[chat]."
        raise UnavailableError("This installation has no keyring.", hint=hint) from error
    try:
        return ask(keyring)
    except NoKeyringError as error:
        raise UnavailableError("This machine has no keyring to keep keys in.", hint=hint) from error
    except KeyringError as error:
        raise UserError(f"The keyring did not answer: {error or type(error).__name__}.", hint=hint) from error
