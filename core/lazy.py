"""Libraries that are imported when they are first used: stated once at the top of a module, not in each function.

    if TYPE_CHECKING:
        import torch
    else:
        torch = lazy_module("torch")

Type checkers and the check of the rooms' borders read the first branch, the interpreter the second.
"""

from __future__ import annotations

from importlib import import_module
from sys import modules
from typing import Any

_OF_NO_MODULE = frozenset({"__bases__", "__test__", "__wrapped__", "_mock_name"})
"""What `issubclass`, `inspect` and pytest ask of every name that they meet: no reason to import."""


def lazy_module(name: str) -> Any:
    """The module of this absolute name, imported when one of its attributes is asked for.

    Raises there what its import raises. Any thread may be the first: the `LazyLoader` of Python 3.11 is not safe then.
    """
    return _LazyModule(name)


class _LazyModule:
    """Looks the module up each time, so that what replaces it in `sys.modules` is what is used."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        if attribute in _OF_NO_MODULE:
            raise AttributeError(attribute)
        module = modules.get(self._name)
        if module is None or getattr(module.__spec__, "_initializing", True):  # another thread may be importing it
            module = import_module(self._name)
        return getattr(module, attribute)

    def __repr__(self) -> str:
        return f"<lazy module {self._name!r}>"
