"""A web task's page: its answer fields and variables, read from the HTML without running it.

Native fields (`input`, `select`, `textarea`) and the `crowd-*` elements that stand for one; a classifier's answer has
the name `<name>.label`, or `.labels` where several may be chosen (public reference of Crowd HTML Elements). Fields that
a script makes are not in the HTML; widgets in which something is drawn or marked are not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from stepscope.core.domain.webtask import FieldType, WebField

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_VARIABLE = re.compile(r"\$\{([^{}]{1,200})\}")
_LABEL_LENGTH = 200
_WORD = re.compile(r"\S+")
_UNCHOSEN = "on"
"""The value of a radio button or checkbox that names none (HTML standard)."""

_NOT_ANSWERS = frozenset({"submit", "button", "image", "reset", "file"})
_INPUTS = {
    "hidden": FieldType.HIDDEN,
    "radio": FieldType.RADIO,
    "checkbox": FieldType.CHECKBOX,
    "range": FieldType.RANGE,
}
_ELEMENTS = {
    "textarea": FieldType.TEXTAREA,
    "select": FieldType.SELECT,
    "crowd-input": FieldType.TEXT,
    "crowd-text-area": FieldType.TEXTAREA,
    "crowd-radio-button": FieldType.RADIO,
    "crowd-checkbox": FieldType.CHECKBOX,
    "crowd-slider": FieldType.RANGE,
    "crowd-classifier": FieldType.RADIO,
    "crowd-image-classifier": FieldType.RADIO,
    "crowd-classifier-multi-select": FieldType.CHECKBOX,
    "crowd-image-classifier-multi-select": FieldType.CHECKBOX,
}
_CATEGORY = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")
"""One of a list in an attribute: JSON, or with single quotes as in the reference's own examples."""
_EXCLUSION = re.compile(r"text['\"]?\s*:\s*(?:'([^']+)'|\"([^\"]+)\")")
_GROUPS = (FieldType.RADIO, FieldType.CHECKBOX)
_ATTRIBUTES = ("aria-label", "label", "placeholder", "title")


@dataclass
class _FieldDraft:
    """A field while its elements are met: radio buttons and checkboxes of one name are one field."""

    type: FieldType
    elements: list[HtmlElement] = field(default_factory=list)
    options: dict[str, None] = field(default_factory=dict)


def variables_of(template: str) -> tuple[str, ...]:
    """Names in `${…}` in order of first appearance, those of scripts included."""
    return tuple(dict.fromkeys(_VARIABLE.findall(template)))


def title_of(template: str) -> str:
    """The page's own title, "" when it has none."""
    page = parsed(template)
    return _words(page.findtext(".//title") or "") if page is not None else ""


def fields_of(template: str) -> tuple[WebField, ...]:
    """The page's answer fields in page order; one that occurs as several types is of the first."""
    page = parsed(template)
    if page is None:
        return ()
    found: dict[str, _FieldDraft] = {}
    for element in page.iter():
        kind = _type(element)
        name = _name(element, kind) if kind is not None else ""
        if kind is None or not name:
            continue
        known = found.setdefault(name, _FieldDraft(kind))
        if known.type is kind:
            known.elements.append(element)
            known.options.update(dict.fromkeys(_options(element, kind)))
    labels = _FieldLabels(page)
    return tuple(WebField(name, known.type, tuple(known.options), labels.of(known)) for name, known in found.items())


def parsed(template: str) -> HtmlElement | None:
    """The page; None when there is nothing in it. Nothing is fetched, and broken HTML is mended as browsers do."""
    from lxml import etree, html

    data = template.encode("utf-8", errors="replace").replace(b"\0", b"")
    parser = html.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True)
    try:
        return html.document_fromstring(data, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return None


def _type(element: HtmlElement) -> FieldType | None:
    tag = element.tag.lower() if isinstance(element.tag, str) else ""
    if tag != "input":
        return _ELEMENTS.get(tag)
    kind = (element.get("type") or "").strip().lower()
    return None if kind in _NOT_ANSWERS else _INPUTS.get(kind, FieldType.TEXT)


def _is_classifier(element: HtmlElement) -> bool:
    return isinstance(element.tag, str) and "classifier" in element.tag


def _name(element: HtmlElement, kind: FieldType) -> str:
    name = (element.get("name") or "").strip()
    if not name or not _is_classifier(element):
        return name
    return f"{name}.{'labels' if kind is FieldType.CHECKBOX else 'label'}"


def _options(element: HtmlElement, kind: FieldType) -> Iterator[str]:
    if _is_classifier(element):
        yield from _categories(element)
    elif kind in _GROUPS:
        yield element.get("value") or _UNCHOSEN
    elif kind is FieldType.SELECT:
        for option in element.iter("option"):
            value = option.get("value")
            words = _words(option.text_content()) if value is None else value
            if words:
                yield words


def _categories(element: HtmlElement) -> Iterator[str]:
    """What can be chosen; nothing where the table has it."""
    told = element.get("categories") or ""
    if not _VARIABLE.search(told):
        for single, double in _CATEGORY.findall(told):
            yield re.sub(r"\\(.)", r"\1", single or double)
        if none := _EXCLUSION.search(element.get("exclusion-category") or ""):
            yield none[1] or none[2]


class _FieldLabels:
    """The words that a person reads beside a field; each element's words are put together once."""

    def __init__(self, page: HtmlElement) -> None:
        self._said: dict[HtmlElement, str] = {}
        self._by_id: dict[str, str] = {}
        for label in page.iter("label"):
            target = label.get("for")
            if target and target not in self._by_id:
                self._by_id[target] = self._words_in(label)

    def of(self, found: _FieldDraft) -> str:
        """The field's label; of a group of choices what stands above all of them."""
        element = found.elements[0]
        if _is_classifier(element):
            return _words(element.get("header") or "")
        if found.type in _GROUPS and len(found.options) > 1:
            return self._legend(element)
        around = next(element.iterancestors("label"), None)
        return (
            self._by_id.get(element.get("id") or "", "")
            or (self._words_in(around) if around is not None else "")
            or next((words for name in _ATTRIBUTES if (words := _words(element.get(name) or ""))), "")
        )

    def _legend(self, element: HtmlElement) -> str:
        around = next(element.iterancestors("fieldset"), None)
        if around is None:
            return ""
        if around not in self._said:
            legend = next(around.iter("legend"), None)
            self._said[around] = _words(legend.text_content()) if legend is not None else ""
        return self._said[around]

    def _words_in(self, element: HtmlElement) -> str:
        if element not in self._said:
            self._said[element] = _words(element.text_content())
        return self._said[element]


def _words(text: str) -> str:
    """The text's first words; those behind them are not looked at."""
    return " ".join(word[0] for word in islice(_WORD.finditer(text), _LABEL_LENGTH))[:_LABEL_LENGTH]
