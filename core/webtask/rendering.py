"""A task's template and one row of its table become the page that the crowd platform showed.

`${column}` is replaced by the cell as it is, HTML included; a name that the table does not have stays, since it belongs
to a script. The template may be a whole document, a part of one, or the platform's XML question around either. The page
always is UTF-8 and in standards mode, has a form with a submit button as the platform's own wrapper had, and sends
nothing anywhere. Sources: TurkingBench (Xu et al. 2024), section 3.2, for the variables; the Mechanical Turk API's
HTMLQuestion for the XML; where the page differs from both, the rule is ours (`docs/webtasks.md`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape, unescape
from pathlib import Path

from stepscope.core.domain.webtask import WebTask
from stepscope.core.limits import BYTES, exceeded, limit, written_figure
from stepscope.core.webtask.cells import Span, harmless
from stepscope.core.webtask.markup import Token, tokens
from stepscope.core.webtask.page import PageSource

_VARIABLE = re.compile(r"\$\{([^{}]{1,200})\}")
_QUESTION = re.compile(
    r"\s*(?:<\?xml[^>]*\?>\s*)?<HTMLQuestion\b[^>]*>\s*<HTMLContent\b[^>]*>(.*?)(?:</HTMLContent\s*>|\Z)", re.DOTALL
)
"""Nothing but the platform's element stands before the content."""
_CDATA = re.compile(r"\s*<!\[CDATA\[(.*?)(?:\]\]>\s*|\Z)", re.DOTALL)
_DOCTYPE = re.compile(r"\s*(<!doctype\b[^>]*>)", re.IGNORECASE)
_STANDARD = "<!DOCTYPE html>"
_NO_TEXTS = ("script", "style")
_REMOVED = {
    "script": ("integrity", "crossorigin"),
    "link": ("integrity", "crossorigin"),
    "form": ("action", "target"),
    "button": ("formaction", "formtarget"),
    "input": ("formaction", "formtarget"),
}
"""Check sums do not fit the libraries that are answered locally, and nothing is to be sent anywhere."""
_FORM = '<form id="mturk_form" name="mturk_form" method="post">'
_BUTTON = '<p><input type="submit" id="submitButton" value="Submit"></p>'
_LOCAL = Path(__file__).resolve().parents[2] / "resources" / "webtask" / "local"


def render(task: WebTask, inputs: Mapping[str, str], *, title: str = "") -> PageSource:
    """The page of one row; `inputs` by column. `title` is the task's unless given."""
    title = title or task.title or task.name
    html, values = _filled(_unwrapped(task.template), inputs, task.name)
    page = _assembled(harmless(html, values), title)
    return PageSource(
        title, page, tuple(field.name for field in task.fields), {field.name: field.type for field in task.fields}
    )


def missing_columns(task: WebTask, inputs: Mapping[str, str]) -> tuple[str, ...]:
    """Variables that `inputs` does not have and that stand in the page as they are, in order of appearance; not those
    of scripts, event handlers, styles and comments, where `${…}` may mean something else."""
    template = _unwrapped(task.template)
    names = (name for token in tokens(template) for name in _shown_in(template, token))
    return tuple(name for name in dict.fromkeys(names) if _cell(name, inputs) is None)


def _unwrapped(template: str) -> str:
    """The HTML without its byte order mark and the platform's XML."""
    template = template.removeprefix("\ufeff")
    question = _QUESTION.match(template)
    if question is None:
        return template
    literal = _CDATA.match(question[1])
    return literal[1] if literal else unescape(question[1])


def _filled(template: str, inputs: Mapping[str, str], task: str) -> tuple[str, list[Span]]:
    """The template with its cells, and where they stand in it. Raises SourceError beyond `page-bytes`: a cell may be
    long, and stand in the page very often."""
    most = limit("page-bytes")
    parts: list[str] = []
    values: list[Span] = []
    length = before = 0
    for variable in _VARIABLE.finditer(template):
        cell = _cell(variable[1], inputs)
        if cell is None:
            continue
        start = length + variable.start() - before
        parts += (template[before : variable.start()], cell)
        if start + len(cell) > most:
            message = f"the page is larger than {written_figure(BYTES, most)} with the cells of its row"
            raise exceeded("page-bytes", message, place=task, field=variable[1])
        values.append((start, start + len(cell)))
        length, before = start + len(cell), variable.end()
    return "".join((*parts, template[before:])), values


def _cell(name: str, inputs: Mapping[str, str]) -> str | None:
    cell = inputs.get(name)
    return inputs.get(name.strip()) if cell is None else cell


def _shown_in(template: str, token: Token) -> Iterator[str]:
    """Variables of a token that stand for words in the page."""
    if token.kind == "comment" or (token.kind == "raw" and token.name in _NO_TEXTS):
        return
    for variable in _VARIABLE.finditer(template, token.start, token.end):
        around = token.attribute_at(variable.start())
        if around is None or not around.name.startswith("on"):
            yield variable[1]


def _assembled(html: str, title: str) -> str:
    """The whole page: UTF-8, in standards mode, with a form and what the crowd platform's elements need."""
    doctype = _DOCTYPE.match(html)
    rest = html[doctype.end() :] if doctype else html
    parts = list(tokens(rest))
    tags = {token.name for token in parts if token.kind == "start"}
    before = [doctype[1] if doctype else _STANDARD, '<meta charset="utf-8">']
    if "title" not in tags:
        before.append(f"<title>{escape(title)}</title>")
    if "<crowd-" in rest.lower():
        before.append(_stand_ins())
    return "".join((*before, "\n", _edited(rest, [*_without(rest, parts), *_forms(rest, parts, tags)])))


@cache
def _stand_ins() -> str:
    style, script = ((_LOCAL / name).read_text(encoding="utf-8") for name in ("crowd.css", "crowd.js"))
    return f"<style>{style}</style><script>{script}</script>"


_Change = tuple[int, int, str]
"""What stands between these two places instead."""


def _edited(html: str, changes: list[_Change]) -> str:
    parts: list[str] = []
    before = 0
    for start, end, words in sorted(changes):
        parts += (html[before:start], words)
        before = end
    return "".join((*parts, html[before:]))


def _without(html: str, parts: list[Token]) -> Iterator[_Change]:
    for token in parts:
        if token.kind == "start":
            for one in token.attributes:
                if one.name in _REMOVED.get(token.name, ()):
                    yield one.start, one.end, ""


def _forms(html: str, parts: list[Token], tags: set[str]) -> Iterator[_Change]:
    """Each `crowd-form` is a form, and a page without one is a form as a whole; either gets a button if the page has
    none that submits."""
    button = "" if any(_submits(html, token) for token in parts) else _BUTTON
    if "crowd-form" in tags:
        for token in parts:
            if token.name == "crowd-form" and token.kind == "start":
                yield token.end, token.end, '<form method="post">'
            elif token.name == "crowd-form" and token.kind == "end":
                yield token.start, token.start, f"{button}</form>"
    elif "form" not in tags:
        place = _body_start(parts)
        yield place, place, _FORM
        yield len(html), len(html), f"{button}</form>"


def _body_start(parts: list[Token]) -> int:
    """Behind the start of the body, or the end of the head, or at the very start."""
    for kind, name in (("start", "body"), ("end", "head")):
        if place := next((token.end for token in parts if token.kind == kind and token.name == name), None):
            return place
    return 0


def _submits(html: str, token: Token) -> bool:
    if token.kind != "start" or token.name not in ("input", "button", "crowd-button"):
        return False
    one = token.attribute("form-action" if token.name == "crowd-button" else "type")
    kind = html[one.value_start : one.value_end].strip().lower() if one else ""
    return kind in ("submit", "image") or (token.name == "button" and kind not in ("button", "reset"))
