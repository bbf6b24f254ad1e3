"""HTML cut into tags, texts and raw texts at the very characters where a browser cuts it, nothing changed or mended.

Source: the tokenization of the HTML standard (section 13.2.5) with scripting on, its tree left aside: within `svg` and
`math` the standard has no raw text and knows CDATA sections; here they are read as everywhere else.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Literal, NamedTuple

RAW_TEXTS = frozenset({"script", "style", "xmp", "iframe", "noembed", "noframes", "noscript", "textarea", "title"})
"""Elements whose content is no markup: it lasts until their own end tag."""

_MARKUP = re.compile(r"<(?=[a-zA-Z!?/])")
_TAG = re.compile(r"</?([a-zA-Z][^\t\n\f\r />]*)")
_BETWEEN = re.compile(r"[\t\n\f\r /]*")
_ATTRIBUTE = re.compile(
    r"(=?[^\t\n\f\r />=]*)"
    r"(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:\"(?P<double>[^\"]*)\"?|'(?P<single>[^']*)'?|(?P<bare>[^\t\n\f\r >]*)))?"
)
_COMMENT_END = re.compile(r"--!?>")
_EMPTY_COMMENT = re.compile(r"-?>")
_IN_SCRIPT = re.compile(r"<!--|-->|<(/?)script(?=[\t\n\f\r />])", re.IGNORECASE)

Kind = Literal["text", "start", "end", "comment", "raw"]


class Attribute(NamedTuple):
    """`name` in lower case. Places are of the whole HTML; the value's without its quotes, and equal where there is
    none. `end` is behind the closing quote."""

    name: str
    start: int
    name_end: int
    value_start: int
    value_end: int
    end: int


class Token(NamedTuple):
    """`name` in lower case: the tag's, or of a raw text its element's, "" else. A tag that the HTML ends in is not
    `closed`: browsers drop it. `name_end` is where a tag's name ends."""

    kind: Kind
    start: int
    end: int
    name: str = ""
    name_end: int = 0
    attributes: tuple[Attribute, ...] = ()
    closed: bool = True

    def attribute(self, name: str) -> Attribute | None:
        """The first of this name: browsers heed no other."""
        return next((one for one in self.attributes if one.name == name), None)

    def attribute_at(self, place: int) -> Attribute | None:
        """The one in which a character stands."""
        after = bisect_right(self.attributes, place, key=lambda one: one.start)
        found = self.attributes[after - 1] if after else None
        return found if found is not None and place < found.end else None


def tokens(html: str, *, raw_texts: bool = True) -> Iterator[Token]:
    """The tokens of `html` in order, without gaps; without `raw_texts` as if there were none, as within `svg`."""
    at = 0
    while at < len(html):
        token = _next(html, at)
        yield token
        at = token.end
        if raw_texts and token.kind == "start" and token.closed and token.name in (*RAW_TEXTS, "plaintext"):
            end = _raw_end(html, at, token.name)
            if end > at:
                yield Token("raw", at, end, token.name)
            at = end


def _next(html: str, at: int) -> Token:
    if tag := _TAG.match(html, at):
        return _tag(html, at, tag)
    if html.startswith("<!--", at):
        return Token("comment", at, _comment_end(html, at + 4))
    if _MARKUP.match(html, at):
        until = html.find(">", at + 2)
        return Token("comment", at, len(html) if until < 0 else until + 1)
    until_markup = _MARKUP.search(html, at)
    return Token("text", at, until_markup.start() if until_markup else len(html))


def _tag(html: str, at: int, tag: re.Match[str]) -> Token:
    kind: Kind = "end" if html[at + 1] == "/" else "start"
    attributes: list[Attribute] = []
    place = _after_blanks(html, tag.end())
    while place < len(html) and html[place] != ">":
        attributes.append(_attribute(html, place))
        place = _after_blanks(html, attributes[-1].end)
    closed = place < len(html)
    return Token(kind, at, min(place + 1, len(html)), tag[1].lower(), tag.end(), tuple(attributes), closed)


def _attribute(html: str, at: int) -> Attribute:
    found = _ATTRIBUTE.match(html, at)
    assert found is not None  # it fits everything
    name_end = found.end(1)
    start, end = found.span(found.lastgroup) if found.lastgroup else (name_end, name_end)
    return Attribute(found[1].lower(), at, name_end, start, end, found.end())


def _after_blanks(html: str, at: int) -> int:
    found = _BETWEEN.match(html, at)
    return at if found is None else found.end()


def _comment_end(html: str, at: int) -> int:
    if empty := _EMPTY_COMMENT.match(html, at):
        return empty.end()
    end = _COMMENT_END.search(html, at)
    return len(html) if end is None else end.end()


def _raw_end(html: str, at: int, name: str) -> int:
    """Where the end tag begins; the end of the HTML when there is none."""
    if name == "plaintext":
        return len(html)
    if name == "script":
        return _script_end(html, at)
    end = re.compile(rf"</{name}(?=[\t\n\f\r />])", re.IGNORECASE).search(html, at)
    return len(html) if end is None else end.start()


def _script_end(html: str, at: int) -> int:
    """Where a script ends. Within `<!--`, a script in a script ends first ("script data double escaped")."""
    commented = inner = False
    for found in _IN_SCRIPT.finditer(html, at):
        if found[0] == "<!--":
            # "<!-->" and "<!--->" are over at once.
            commented = commented or not _EMPTY_COMMENT.match(html, found.end())
        elif found[0] == "-->":
            commented = inner = False
        elif not found[1]:
            inner = commented
        elif inner:
            inner = False
        else:
            return found.start()
    return len(html)
