"""What is wrong with a page and its table before anybody answers it: for people who make web tasks of their own.

Pure functions; the rules are ours. Most say what the crowd platform would do with such a page (`core.webtask.rendering`
does the same).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Literal

from stepscope.core.domain.webtask import WebTask
from stepscope.core.frozen import dataclass
from stepscope.core.sources.web_template import fields_of
from stepscope.core.webtask.markup import Token, tokens
from stepscope.core.webtask.page import PageLook
from stepscope.core.webtask.rendering import missing_columns

Kind = Literal["columns", "unanswered", "missing", "doubled", "unnamed", "submit", "unused"]

_BUTTONS = frozenset({"submit", "image"})
_GROUPED = frozenset({"radio", "checkbox"})
_NO_FIELDS = frozenset({"submit", "button", "image", "reset", "file", "hidden"})
_FIELD_TAGS = frozenset({"input", "textarea", "select"})


@dataclass(frozen=True, slots=True)
class PageProblem:
    """`words` is one sentence for a person; `names` are the columns or fields that it is about.

    columns: shown variables without a column; unanswered: fields of the page that the table has no answers of; missing:
    answers of the table whose field the page does not have; doubled: names that several fields have; unnamed: fields
    without a name, whose answers are lost; submit: no button of its own; unused: columns that the page does not show.
    """

    kind: Kind
    words: str
    names: tuple[str, ...] = ()


def page_problems(
    task: WebTask, inputs: Mapping[str, str], look: PageLook | None = None, *, answered: bool = True
) -> tuple[PageProblem, ...]:
    """`inputs` are one instance's. `look` is the page as it loaded, with all its fields: without it only the template
    is looked at, and fields that scripts make are not known. `answered`: the table has answers; without any, fields
    are not held against it."""
    return tuple(_all(task, inputs, look, answered))


def _all(task: WebTask, inputs: Mapping[str, str], look: PageLook | None, answered: bool) -> Iterator[PageProblem]:
    if lacking := missing_columns(task, inputs):
        yield PageProblem("columns", f"The table has no column for {_listed(lacking, '${{{}}}')}.", lacking)
    if unused := tuple(name for name in inputs if name not in task.columns):
        yield PageProblem("unused", f"The page does not show {_listed(unused)} of the table.", unused)
    on_page = _names_on(task, look)
    expected = tuple(field.name for field in task.fields)
    if answered:
        if gone := tuple(name for name in expected if name not in on_page):
            by = "" if look is not None else " It may be made by a script: open the page to see."
            yield PageProblem("missing", f"The page has no field for the answers to {_listed(gone)}.{by}", gone)
        if new := tuple(name for name in _fillable(task, look) if name not in expected):
            yield PageProblem("unanswered", f"The table has no answers to {_listed(new)}.", new)
    template = list(tokens(task.template))
    if doubled := _doubled(task.template, template):
        yield PageProblem("doubled", f"Several fields are called {_listed(doubled)}: one answer is kept.", doubled)
    if unnamed := sum(_is_unnamed(task.template, token) for token in template):
        which = "A field has" if unnamed == 1 else f"{unnamed} fields have"
        yield PageProblem("unnamed", f"{which} no name: what is filled in there is lost.")
    if not _has_submit(task.template, template):
        yield PageProblem("submit", "The page has no submit button of its own; one is added at its end.")


def _names_on(task: WebTask, look: PageLook | None) -> Collection[str]:
    """Names of all fields that the page has."""
    if look is not None:
        return {field.name for field in look.fields}
    return {field.name for field in fields_of(task.template)}


def _fillable(task: WebTask, look: PageLook | None) -> list[str]:
    """Names of the fields that a person can fill in."""
    if look is not None:
        return [field.name for field in look.fields if field.box is not None and not field.disabled]
    return [field.name for field in fields_of(task.template) if field.type.value not in _NO_FIELDS]


def _doubled(html: str, found: Collection[Token]) -> tuple[str, ...]:
    """Names of several elements that are no group of buttons or boxes of one type."""
    types: dict[str, list[str]] = {}
    for token in found:
        name = _value(html, token, "name")
        if name and _is_field(html, token):
            types.setdefault(name, []).append(_type(html, token))
    return tuple(
        name for name, kinds in types.items() if len(kinds) > 1 and (len(set(kinds)) > 1 or kinds[0] not in _GROUPED)
    )


def _is_unnamed(html: str, token: Token) -> bool:
    return _is_field(html, token) and not _value(html, token, "name")


def _is_field(html: str, token: Token) -> bool:
    """Whether something can be filled in there."""
    return token.kind == "start" and token.name in _FIELD_TAGS and _type(html, token) not in _NO_FIELDS


def _type(html: str, token: Token) -> str:
    return _value(html, token, "type").lower() or "text" if token.name == "input" else token.name


def _has_submit(html: str, found: Collection[Token]) -> bool:
    """A form of the crowd elements has a button of its own; a button submits unless it says otherwise (HTML
    standard)."""
    return any(
        token.kind == "start"
        and (
            token.name == "crowd-form"
            or (token.name == "input" and _type(html, token) in _BUTTONS)
            or (token.name == "button" and _value(html, token, "type").lower() not in ("button", "reset"))
            or (token.name == "crowd-button" and _value(html, token, "form-action").lower() == "submit")
        )
        for token in found
    )


def _value(html: str, token: Token, name: str) -> str:
    attribute = token.attribute(name)
    return "" if attribute is None else html[attribute.value_start : attribute.value_end].strip()


def _listed(names: Collection[str], form: str = "{}") -> str:
    """ "a, b and 3 more"."""
    shown = [form.format(name) for name in list(names)[:5]]
    more = f" and {len(names) - len(shown)} more" if len(names) > len(shown) else ""
    return ", ".join(shown) + more
