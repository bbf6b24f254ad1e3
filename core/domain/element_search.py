"""Finding elements in a UI tree: which kinds are listed, and what a person types to search.

    search := term*; term := is:FLAG | id:WORD | class:WORD | text:WORD | word, each with a "-" before it to turn it
    round; WORD may be "quoted"

Words that name no field are one phrase, sought in text, description, id and class. Case is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import StrEnum

from stepscope.core.domain.elements import UIElement
from stepscope.core.domain.filter import nearest
from stepscope.core.frozen import dataclass


class ElementFilter(StrEnum):
    """The elements that are listed and have their boxes drawn."""

    ALL = "all"
    CLICKABLE = "clickable"
    WITH_TEXT = "with_text"

    def lets_through(self, element: UIElement) -> bool:
        """Whether the element is one of those that this shows."""
        if self is ElementFilter.CLICKABLE:
            return element.clickable
        return bool(element.text or element.content_description) if self is ElementFilter.WITH_TEXT else True


Test = Callable[[UIElement], bool]

FLAGS: Mapping[str, Test] = {
    "clickable": lambda e: e.clickable,
    "long-clickable": lambda e: e.long_clickable,
    "scrollable": lambda e: e.scrollable,
    "checkable": lambda e: e.checkable,
    "checked": lambda e: e.checked,
    "editable": lambda e: e.editable,
    "enabled": lambda e: e.enabled,
    "disabled": lambda e: not e.enabled,
    "focused": lambda e: e.focused,
    "selected": lambda e: e.selected,
    "password": lambda e: e.password,
    "visible": lambda e: e.visible,
    "invisible": lambda e: not e.visible,
}
"""What can stand behind `is:`."""

_FIELDS: Mapping[str, Callable[[UIElement], str]] = {
    "id": lambda e: e.resource_id,
    "class": lambda e: e.class_name,
    "text": lambda e: f"{e.text}\n{e.content_description}",
}
_TERM = re.compile(r'(?P<not>-)?(?:(?P<field>is|id|class|text):)?(?:"(?P<quoted>[^"]*)"?|(?P<word>\S+))', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ElementSearch:
    """A search that was read. `mistake` says what is wrong with it, "" when nothing is; such a one finds nothing."""

    tests: tuple[Test, ...] = ()
    mistake: str = ""

    @classmethod
    def read(cls, text: str) -> ElementSearch:
        """The search that a person typed; an empty one finds everything."""
        tests: list[Test] = []
        phrase: list[str] = []
        for found in _TERM.finditer(text):
            field, word = (found["field"] or "").lower(), found["quoted"] if found["word"] is None else found["word"]
            if field == "is" or word.casefold() == "is:":
                flag = word.casefold() if field else ""
                if flag not in FLAGS:
                    return cls(mistake=_unknown(flag))
                tests.append(_turned(FLAGS[flag], found["not"]))
            elif field:
                tests.append(_turned(_holds(_FIELDS[field], word.casefold()), found["not"]))
            elif found["not"] and word:
                tests.append(_turned(_holds(_anywhere, word.casefold()), found["not"]))
            else:
                phrase.append(word)
        if phrase:
            tests.append(_holds(_anywhere, " ".join(phrase).casefold()))
        return cls(tuple(tests))

    @property
    def finds_all(self) -> bool:
        return not self.tests and not self.mistake

    def matches(self, element: UIElement) -> bool:
        return not self.mistake and all(test(element) for test in self.tests)


def _anywhere(element: UIElement) -> str:
    return "\n".join((element.text, element.content_description, element.resource_id, element.class_name))


def _holds(read: Callable[[UIElement], str], word: str) -> Test:
    return lambda element: word in read(element).casefold()


def _turned(test: Test, turned: str | None) -> Test:
    return (lambda element: not test(element)) if turned else test


def _unknown(flag: str) -> str:
    if not flag:
        return f"What is it? {', '.join(f'is:{name}' for name in FLAGS)}."
    near = nearest(flag, list(FLAGS))
    return f"No flag “{flag}”. Did you mean is:{near}?" if near else f"No flag “{flag}”: {', '.join(FLAGS)}."
