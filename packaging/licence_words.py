"""What a licence, as packages state it, means for a program that is passed on under the Apache License 2.0."""

from __future__ import annotations

import re

EXCEPTIONS = ("GCC-exception-3.1", "Bootloader-exception", "Autoconf-exception-3.0")
"""Additions to the GPL that allow what is built with such a part to have any licence."""
STRONG = ("GPL", "AGPL", "SSPL", "GFDL", "SLEEPYCAT", "CC-BY-NC", "CC-BY-ND", "BUSL", "OSL")
"""Beginnings of identifiers whose licences ask for the same licence, or for none to be earned with it."""
_STRONG_WORDS = re.compile(
    r"\bA?GPL|General Public|Affero|Sleepycat|Server Side Public|non-?commercial|proprietary", re.I
)
_LESSER = re.compile(
    r"\bLGPL[\w.+-]*|GNU (Library or )?Lesser General Public Licen[sc]e|GNU Library General Public", re.I
)
_UNKNOWN = re.compile(r"(unknown|not said|other.*|license|)", re.I)


def fault(licence: str) -> str:
    """What keeps a part under this licence out of the bundle, "" where nothing does.

    Where one may choose, the choice is ours: a part under "GPL-2.0-only OR MIT" is taken under MIT. Where more than one
    licence is listed without saying whether one may choose, each must do.
    """
    said = licence.strip()
    if _UNKNOWN.fullmatch(said):
        return "no licence is stated"
    if _is_expression(said):
        return "" if _allows(_tokens(said)) else f"{said} asks for the same licence of the whole program"
    rest = _LESSER.sub("", said)
    return f"{said} names a licence that asks for the same of the whole program" if _STRONG_WORDS.search(rest) else ""


def _is_expression(said: str) -> bool:
    """Whether this is an SPDX expression: identifiers, which have no spaces, joined by its three words."""
    words = said.replace("(", " ").replace(")", " ").split()
    joints = words[1::2]
    return len(words) % 2 == 1 and all(one in ("AND", "OR", "WITH") for one in joints)


def _tokens(said: str) -> list[str]:
    return re.findall(r"[()]|[^\s()]+", said)


def _allows(tokens: list[str]) -> bool:
    """Takes an expression from the front: alternatives, of which one must do."""
    found = _all_allow(tokens)
    while tokens and tokens[0] == "OR":
        tokens.pop(0)
        found = _all_allow(tokens) or found
    return found


def _all_allow(tokens: list[str]) -> bool:
    """What is joined by AND, which binds closer than OR: all must do."""
    found = _one_allows(tokens)
    while tokens and tokens[0] == "AND":
        tokens.pop(0)
        found = _one_allows(tokens) and found
    return found


def _one_allows(tokens: list[str]) -> bool:
    first = tokens.pop(0)
    if first == "(":
        found = _allows(tokens)
        tokens.pop(0)
        return found
    exception = ""
    if tokens and tokens[0] == "WITH":
        exception = tokens[1]
        del tokens[:2]
    return exception in EXCEPTIONS or not first.upper().startswith(STRONG)
