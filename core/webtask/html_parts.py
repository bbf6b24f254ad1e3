"""Parts of a page's HTML for models: without noise, the lines around a field, and as much as fits.

Source: TurkingBench (Xu et al. 2024), section 4.1: a model gets the full HTML or "a few lines of HTML above and under
the input field". How lines are counted, what noise is and what is left out first are ours. All is told from the text
alone: nothing is parsed to a tree, so that broken pages stay as broken as they are.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import field
from html import unescape

from stepscope.core.frozen import dataclass
from stepscope.core.webtask.actions import LINES
from stepscope.core.webtask.markup import Attribute, Token, tokens

_LONG_LINE = 160
"""A line that is longer is ended before the next tag: many pages come as one line."""
_NOISE = frozenset({"script", "style", "noscript", "template"})
_NOISE_TAGS = frozenset({*_NOISE, "link", "meta", "base"})
_LONGEST_DATA = 40
"""Characters of a `data:` address that are left of a longer one."""
_DATA = re.compile(r"data:[\w.+-]+/[\w.+-]+[^\s\"'<>)]*")
_HIDES = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_BLANKS = re.compile(r"[ \t\f\r]+")
_EMPTY_LINES = re.compile(r" ?\n[ \n]*")
_FIELDS = frozenset({"input", "select", "textarea", "button"})
_LASTING = frozenset({"select", "textarea"})
"""Fields that have an end tag."""


@dataclass(frozen=True, slots=True)
class HtmlExcerpt:
    """A part of a page, with a comment for each gap; `left_out`: lines of how many."""

    html: str
    left_out: int = 0
    lines: int = 0


@dataclass
class _PageLines:
    """A page in lines, none of them empty. `fields` are the lines of each field's elements, `labels` those of the label
    of an id, `ids` the ids of a field's elements."""

    texts: list[str] = field(default_factory=list)
    fields: dict[str, list[int]] = field(default_factory=dict)
    ids: dict[str, list[str]] = field(default_factory=dict)
    labels: dict[str, list[int]] = field(default_factory=dict)
    _line: list[str] = field(default_factory=list)
    _length: int = 0

    @property
    def last(self) -> int:
        """The line that is being written."""
        return len(self.texts)

    def around(self, name: str) -> list[int]:
        """Lines of a field: of its elements and their labels."""
        labels = (line for one in dict.fromkeys(self.ids.get(name, ())) for line in self.labels.get(one, ()))
        return sorted({*self.fields.get(name, ()), *labels})

    def write(self, text: str) -> None:
        self._line.append(text)
        self._length += len(text)

    def is_long(self) -> bool:
        return self._length > _LONG_LINE

    def end_line(self) -> None:
        """The next line begins, unless this one is empty."""
        line = "".join(self._line)
        if line.strip():
            self.texts.append(line)
        self._line, self._length = [], 0


def without_noise(html: str) -> str:
    """The page without scripts, styles, comments and event handlers, `data:` addresses shortened, blanks and empty
    lines one. What hides an element stays in its `style`. Texts within `textarea` and `pre` stay as they are."""
    parts: list[str] = []
    inside = pre = 0
    for token in tokens(html):
        if token.name in _NOISE and token.kind in ("start", "end"):
            inside = max(0, inside + (1 if token.kind == "start" else -1))
        elif inside or token.kind == "comment" or token.name in _NOISE_TAGS:
            if token.kind == "comment" and html[token.start : token.start + 9].lower() == "<!doctype":
                parts.append(html[token.start : token.end])
        elif token.kind == "start":
            parts.append(_quiet_tag(html, token))
            pre += token.name == "pre"
        elif token.kind == "text" and not pre:
            text = _EMPTY_LINES.sub("\n", _BLANKS.sub(" ", html[token.start : token.end]))
            parts.append(text[1:] if text[:1] == "\n" and parts and parts[-1][-1:] == "\n" else text)
        else:
            parts.append(html[token.start : token.end])
            pre = max(0, pre - (token.kind == "end" and token.name == "pre"))
    return "".join(parts).strip()


def lines_of(html: str) -> tuple[str, ...]:
    """The page's lines without empty ones; long ones are ended before a tag, and no tag is cut in two."""
    return tuple(_read(html).texts)


def relevant(html: str, field: str, lines: int = LINES) -> str:
    """The lines of a field's elements and labels with `lines` more above and below, noise left out; "" when no element
    has this name."""
    page = _read(without_noise(html))
    kept = _spread(page.around(field), lines, len(page.texts))
    return _joined(page.texts, kept, ends=False)


def cut_to(html: str, fits: Callable[[str], bool], keep: Collection[str] = ()) -> HtmlExcerpt:
    """The largest part of the page that `fits` accepts; it must say yes to every part of what it says yes to.

    First the whole page, then that without noise. Then the fields `keep` with the lines around them, and of what else
    there is as much as fits from the top, where instructions stand. Where that is too much already, fewer lines
    around them, then the first of their lines; at last nothing.
    """
    if fits(html):
        return HtmlExcerpt(html, 0, len(lines_of(html)))
    quiet = without_noise(html)
    page = _read(quiet)
    count = len(page.texts)
    if fits(quiet):
        return HtmlExcerpt(quiet, 0, count)
    places = list(dict.fromkeys(line for name in keep for line in page.around(name)))

    def cut(chosen: Iterable[int]) -> HtmlExcerpt:
        kept = sorted(set(chosen))
        return HtmlExcerpt(_joined(page.texts, kept, ends=True), count - len(kept), count)

    def most(choice: Callable[[int], Iterable[int]], top: int) -> int:
        """The greatest number up to `top` whose choice fits; -1: not even that of 0."""
        return bisect_left(range(top + 1), True, key=lambda number: not fits(cut(choice(number)).html)) - 1

    radius = most(lambda number: _spread(places, number, count), LINES)
    if radius < 0:
        first = most(lambda number: places[:number], len(places))
        return cut(places[:first]) if first > 0 else HtmlExcerpt("", count, count)
    around = _spread(places, radius, count)
    above = most(lambda number: (*range(number), *around), count)
    return cut((*range(above), *around))


def _quiet_tag(html: str, tag: Token) -> str:
    parts: list[str] = []
    before = tag.start
    for one in tag.attributes:
        if one.name.startswith("on") or (one.name == "style" and not _HIDES.search(_text_of(html, one))):
            parts.append(html[before : one.start].rstrip())
            before = one.end
    return _DATA.sub(_short_data, "".join((*parts, html[before : tag.end])))


def _short_data(address: re.Match[str]) -> str:
    text = address[0]
    return text if len(text) <= _LONGEST_DATA else f"{text[: _LONGEST_DATA - 1]}…"


def _spread(places: Iterable[int], lines: int, count: int) -> list[int]:
    """These lines with so many above and below, in order."""
    return sorted({near for at in places for near in range(max(0, at - lines), min(count, at + lines + 1))})


def _joined(texts: Sequence[str], kept: Sequence[int], *, ends: bool) -> str:
    """The lines with a comment where some are left out; with `ends` also before the first and behind the last."""
    parts: list[str] = []
    after = -1
    for at in kept:
        if at - after > 1 and (parts or ends):
            parts.append(_gap(at - after - 1))
        parts.append(texts[at])
        after = at
    if ends and after < len(texts) - 1:
        parts.append(_gap(len(texts) - 1 - after))
    return "\n".join(parts)


def _gap(lines: int) -> str:
    return f"<!-- {lines} line{'s' if lines > 1 else ''} left out -->"


def _read(html: str) -> _PageLines:
    page = _PageLines()
    open_field = ""
    since = 0
    for token in tokens(html):
        text = html[token.start : token.end]
        if token.kind == "text":
            _add_text(page, text)
            continue
        if token.kind == "start" and page.is_long():
            page.end_line()
        page.write(text if token.kind == "raw" else text.replace("\n", " "))
        if token.kind == "start" and (name := _note(page, html, token)) and token.name in _LASTING:
            open_field, since = name, page.last
        elif token.kind == "end" and token.name in _LASTING and open_field:
            page.fields[open_field].extend(range(since, page.last + 1))
            open_field = ""
    page.end_line()
    return page


def _add_text(page: _PageLines, text: str) -> None:
    first, *rest = text.split("\n")
    page.write(first)
    for line in rest:
        page.end_line()
        page.write(line)


def _note(page: _PageLines, html: str, tag: Token) -> str:
    """Takes down what the tag says of fields; the name of the field that it is an element of, or ""."""
    name, own_id, of = (unescape(_text_of(html, tag.attribute(what))) for what in ("name", "id", "for"))
    if tag.name == "label" and of:
        page.labels.setdefault(of, []).append(page.last)
    if not name or not (tag.name in _FIELDS or tag.name.startswith("crowd-")):
        return ""
    page.fields.setdefault(name, []).append(page.last)
    if own_id:
        page.ids.setdefault(name, []).append(own_id)
    return name


def _text_of(html: str, one: Attribute | None) -> str:
    return html[one.value_start : one.value_end] if one else ""
