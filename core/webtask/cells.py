"""Cell values in a page: their HTML stays letter by letter, but what would run in it does so only where the template
put the variable into a script.

The rule is ours. On the crowd platform a cell's scripts ran like the page's own; here a table is data that somebody
else may have filled in. A variable within a `script` element or an event handler (`onclick="f('${id}')"`) of the
template is meant to be code and stays as it is, as far as it does not end that. Everywhere else a `script` of a value
gets a type that does not run; `on…` handlers, `srcdoc`, what `base`, `object`, `embed` and `applet` load, and the
`http-equiv` of `meta` get `data-` in front of their names; an address that is code gets `#` in front; a value in a
frame's `srcdoc` is shown in a sandbox. Nothing is taken away, so that formatting, pictures, tables and what was not
closed come out as they would have.

What runs is told from the finished page, not from the value: a quote that ends an attribute of the template, or a
comment that swallows a part of it, counts as the browser will read it. Behind the first `svg` or `math` a browser may
read as tags what is raw text elsewhere, such as a `title` or `textarea` of the template: there both readings count, and
a `<` of a value that would begin something that lasts beyond its raw text gets a blank behind it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from html import unescape

from stepscope.core.webtask.markup import Attribute, Token, tokens

Span = tuple[int, int]
Edit = tuple[int, str]
"""What is put in before the character at this place."""

_ADDRESSES = frozenset({"href", "src", "action", "formaction", "data", "xlink:href", "poster", "background"})
_ANIMATED = frozenset({"from", "to", "by", "values"})
"""Where `svg` animations take an address from."""
_LOADS = {
    "base": frozenset({"href", "target"}),
    "meta": frozenset({"http-equiv"}),
    "object": frozenset({"data", "classid", "codebase", "code"}),
    "embed": frozenset({"src", "code"}),
    "applet": frozenset({"code", "codebase", "archive", "object"}),
}
_SHOWS_PAGES = ("iframe", "frame", "object", "embed")
_CODE = re.compile(r"[\x00-\x20]*(?:javascript|vbscript):", re.IGNORECASE)
_CODE_OR_DATA = re.compile(r"[\x00-\x20]*(?:javascript|vbscript|data):", re.IGNORECASE)
_NO_PART_OF_ADDRESSES = re.compile(r"[\t\n\r]")
_CDATA = "<![CDATA["
_EXACT = ("script", "textarea", "title")
"""Raw texts of the template in which a value's tags are mere letters, and which people may read."""
_FOREIGN = ("svg", "math")
"""Elements in which a browser knows no raw texts."""


def harmless(html: str, values: Sequence[Span]) -> str:
    """`html` with what would run in its `values` made harmless: the places of the cells' values in it, in order."""
    reader = _CellReader(html, values)
    edits = [edit for token in tokens(html) for edit in reader.edits(token)]
    parts: list[str] = []
    before = 0
    for at, words in sorted(set(edits)):
        parts += (html[before:at], words)
        before = at
    return "".join((*parts, html[before:]))


class _CellReader:
    """Takes a page's tokens in order and says what to put in."""

    def __init__(self, html: str, values: Sequence[Span]) -> None:
        self._html = html
        self._ahead = [span for span in reversed(values) if span[0] < span[1]]
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._own_raw = False
        """Whether the raw text that comes next belongs to a tag of a value."""
        self._foreign = False
        """Whether an element of `_FOREIGN` has begun; where it ends only a browser knows."""

    def edits(self, token: Token) -> Iterator[Edit]:
        self._meet(token)
        if token.kind == "start":
            self._own_raw = self._touched(token.start, token.name_end)
            self._foreign = self._foreign or token.name in _FOREIGN
            yield from self._in_tag(token, self._own_raw)
        elif token.kind == "raw":
            if self._own_raw or token.name not in _EXACT or (self._foreign and token.name != "script"):
                yield from self._in_raw(token)
        else:
            yield from self._in_cdata(token.start)

    def _meet(self, token: Token) -> None:
        """Takes in the values that begin in this token, without what of them is meant to be code."""
        while self._ahead and self._ahead[-1][0] < token.end:
            start, end = self._ahead.pop()
            start = max(start, self._code_end(token, start))
            if start < end:
                self._starts.append(start)
                self._ends.append(end)

    def _code_end(self, token: Token, start: int) -> int:
        """Where the template's code ends in which a value begins; 0 if it does not begin in any."""
        if token.kind == "raw":
            return token.end if token.name == "script" and not self._own_raw else 0
        one = token.attribute_at(start)
        return one.value_end if one is not None and one.value_start <= start and self._is_handler(one) else 0

    def _is_handler(self, one: Attribute) -> bool:
        return one.name.startswith("on") and not self._touched(one.start, one.name_end)

    def _touched(self, start: int, end: int) -> bool:
        """Whether any of these characters comes from a value that is not meant to be code."""
        first = bisect_left(self._ends, start + 1)
        return first < len(self._starts) and self._starts[first] < end

    def _in_tag(self, tag: Token, own: bool) -> Iterator[Edit]:
        if own and tag.name == "script":
            yield tag.name_end, " type=text/plain "
        loads = _LOADS.get(tag.name, frozenset())
        for one in tag.attributes:
            named = self._touched(one.start, one.name_end)
            if (named and (one.name.startswith("on") or one.name == "srcdoc")) or (
                (named or own) and one.name in loads
            ):
                yield one.start, "data-"
            elif self._touched(one.value_start, one.value_end):
                yield from self._in_value(tag, one)

    def _in_value(self, tag: Token, one: Attribute) -> Iterator[Edit]:
        if one.name == "srcdoc":
            yield tag.name_end, " sandbox "
        elif one.name in _ADDRESSES and self._is_code(tag, one):
            yield one.value_start, "#"
        elif one.name in _ANIMATED and "script" in self._plain(one.value_start, one.value_end).lower():
            yield one.start, "data-"

    def _is_code(self, tag: Token, one: Attribute) -> bool:
        """An address that is code, unless the template itself says so before the value begins."""
        rule = _CODE_OR_DATA if tag.name in _SHOWS_PAGES else _CODE
        first = self._starts[bisect_left(self._ends, one.value_start + 1)]
        said = self._plain(one.value_start, max(one.value_start, first))
        return not rule.match(said) and rule.match(self._plain(one.value_start, one.value_end)) is not None

    def _plain(self, start: int, end: int) -> str:
        return _NO_PART_OF_ADDRESSES.sub("", unescape(self._html[start:end]))

    def _in_raw(self, raw: Token) -> Iterator[Edit]:
        """Edits of a value inside raw text. In `svg` a browser reads as tags what is raw text elsewhere: tags of values
        are doubted in both ways."""
        if not self._touched(raw.start, raw.end):
            return
        for token in tokens(self._html[raw.start : raw.end], raw_texts=False):
            inner = _moved(token, raw.start)
            if self._foreign and self._lasts(inner, raw.end):
                yield inner.start + 1, " "
            elif inner.kind == "start":
                yield from self._in_tag(inner, self._touched(inner.start, inner.name_end))
            else:
                yield from self._in_cdata(inner.start)

    def _lasts(self, inner: Token, raw_end: int) -> bool:
        """Whether a value begins a tag or a comment here that the raw text's end does not end for a browser that knows
        no raw text."""
        begun = inner.end == raw_end and self._touched(inner.start, inner.start + 2)
        return begun and (inner.kind == "comment" or not inner.closed)

    def _in_cdata(self, start: int) -> Iterator[Edit]:
        if self._html.startswith(_CDATA, start) and self._touched(start, start + len(_CDATA)):
            yield start + len("<!"), "-"


def _moved(tag: Token, by: int) -> Token:
    attributes = tuple(
        Attribute(one.name, one.start + by, one.name_end + by, one.value_start + by, one.value_end + by, one.end + by)
        for one in tag.attributes
    )
    return Token(tag.kind, tag.start + by, tag.end + by, tag.name, tag.name_end + by, attributes, tag.closed)
