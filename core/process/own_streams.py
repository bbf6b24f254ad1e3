"""The standard streams of a process that was started to answer: kept for the talk with whoever started it."""

from __future__ import annotations

import os
from typing import BinaryIO


def own_output() -> BinaryIO:
    """The real standard output. Whatever else prints in this process goes to the error stream from now on."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def own_input() -> BinaryIO:
    """The real standard input. Whatever else reads in this process finds nothing from now on."""
    asked = os.fdopen(os.dup(0), "rb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return asked
