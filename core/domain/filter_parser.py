"""Reading the filter language: text to `core.domain.filter` values, errors with the place of the token."""

from __future__ import annotations

import math
import re

from stepscope.core.domain.filter import (
    EVERYTHING,
    FIELDS,
    And,
    EveryStep,
    Field,
    FieldKind,
    FilterError,
    NoStep,
    Not,
    Number,
    Or,
    Pattern,
    Query,
    Range,
    Term,
    Text,
    Value,
    Word,
    is_number,
    nearest,
)

MAX_LENGTH = 4000
MAX_DEPTH = 40
"""Longer or deeper filters are refused: nobody types them, and the parser and the database recurse."""

_ENDS_WORD = frozenset('()|"')
_OPERATOR_CHARACTERS = frozenset(":=<>")
_COMPARISONS = ("<", "<=", ">", ">=")


def parse(text: str) -> Query:
    """The query that `text` means; the empty text is `EVERYTHING`. Raises FilterError, nothing else."""
    if len(text) > MAX_LENGTH:
        raise FilterError(MAX_LENGTH, len(text) - MAX_LENGTH, f"A filter has at most {MAX_LENGTH} characters.")
    for place, character in enumerate(text):
        if character == "\0" or "\ud800" <= character <= "\udfff":
            raise FilterError(place, 1, "This character cannot be searched for.")
    return _FilterParser(text).whole()


def conditions(text: str) -> tuple[tuple[Query, int, int], ...]:
    """The conditions of `text` that must all hold, each with where it stands (start, length); alternatives side by side
    are one. Raises FilterError."""
    whole = parse(text)
    found = _FilterParser(text).conditions()
    if found is None:
        start = len(text) - len(text.lstrip())
        return ((whole, start, len(text.strip())),)
    return found


class _FilterParser:
    """Recursive descent over the text; `_at` is the next character to read."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._depth = 0

    def whole(self) -> Query:
        """The query that all of the text means. Raises FilterError."""
        self._skip_spaces()
        if self._at == len(self._text):
            return EVERYTHING
        query = self._query()
        if self._at < len(self._text):
            raise FilterError(self._at, 1, "This bracket closes nothing.")
        return query

    def conditions(self) -> tuple[tuple[Query, int, int], ...] | None:
        """Each condition of a text that can be parsed, with its place; None where there are alternatives."""
        found = []
        self._skip_spaces()
        while self._peek():
            if self._peek() == "|":
                return None
            start = self._at
            found.append((self._term(), start, self._at - start))
            self._skip_spaces()
        return tuple(found)

    def _query(self) -> Query:
        parts = [self._conjunction()]
        while self._peek() == "|":
            self._at += 1
            parts.append(self._conjunction())
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def _conjunction(self) -> Query:
        parts: list[Query] = []
        self._skip_spaces()
        while self._peek() not in ("", "|", ")"):
            parts.append(self._term())
            self._skip_spaces()
        if not parts:
            raise FilterError(self._at, min(1, len(self._text) - self._at), "A condition is missing here.")
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def _term(self) -> Query:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise FilterError(self._at, 1, f"A filter can be nested {MAX_DEPTH} deep at most.")
        try:
            return self._term_here()
        finally:
            self._depth -= 1

    def _term_here(self) -> Query:
        character = self._peek()
        if character == "-":
            self._at += 1
            if self._peek() in ("", "|", ")") or self._peek().isspace():
                raise FilterError(self._at - 1, 1, "A minus needs the condition right behind it.")
            return Not(self._term())
        if character == "(":
            return self._bracketed()
        if character == '"':
            return self._quoted_word()
        start = self._at
        name = self._read_until(_ENDS_WORD | _OPERATOR_CHARACTERS)
        if self._peek() == "(" and name.lower() in ("all", "none"):
            inner = self._bracketed()
            return EveryStep(inner) if name.lower() == "all" else NoStep(inner)
        if self._peek() and self._peek() in _OPERATOR_CHARACTERS:
            return self._field(name, start)
        known = FIELDS.get(name.lower())
        if known is not None and known.bare:
            return Term(known.name, position=start, length=len(name))
        return Word(name)

    def _bracketed(self) -> Query:
        opened = self._at
        self._at += 1
        query = self._query()
        if self._peek() != ")":
            raise FilterError(opened, 1, "This bracket is not closed.")
        self._at += 1
        return query

    def _quoted_word(self) -> Word:
        start = self._at
        text = self._quoted()
        if not text:
            raise FilterError(start, self._at - start, "There is nothing between the quotes.")
        return Word(text)

    def _field(self, name: str, start: int) -> Term:
        known = FIELDS.get(name.lower())
        if known is None:
            message = f"No field “{name}”." if name else "A field's name is missing before this sign."
            raise FilterError(start, max(len(name), 1), message, nearest(name, list(FIELDS)))
        sign = self._at
        operator = self._operator()
        if known.kind is FieldKind.FLAG:
            raise FilterError(sign, len(operator), f"{known.name} stands alone, without a value.")
        runs: tuple[str, ...] = ()
        if known.kind is FieldKind.RUN_NUMBER:
            runs, operator, sign = self._run_of(operator, sign)
        if operator in _COMPARISONS and known.kind not in (FieldKind.NUMBER, FieldKind.RUN_NUMBER):
            raise FilterError(sign, len(operator), f"{known.name} is no number: it takes : or =.")
        values = self._values(known, operator)
        if known.kind is FieldKind.RUN:
            runs, values = tuple(value.text for value in values if isinstance(value, Text)), ()
        return Term(known.name, operator, values, runs, start, self._at - start)

    def _run_of(self, operator: str, sign: int) -> tuple[tuple[str, ...], str, int]:
        """The run of `conf:A<0.4`, where there is one, and the operator that compares."""
        if operator != ":":
            return (), operator, sign
        mark = self._at
        run = self._quoted() if self._peek() == '"' else self._read_until(_ENDS_WORD | _OPERATOR_CHARACTERS | {","})
        if run and self._peek() and self._peek() in _OPERATOR_CHARACTERS:
            sign = self._at
            return (run,), self._operator(), sign
        self._at = mark
        return (), operator, sign

    def _operator(self) -> str:
        sign = self._peek()
        self._at += 1
        if sign in "<>" and self._peek() == "=":
            self._at += 1
            return sign + "="
        return sign

    def _values(self, known: Field, operator: str) -> tuple[Value, ...]:
        first = self._at
        values = [self._value(known)]
        while self._peek() == ",":
            self._at += 1
            values.append(self._value(known))
        if operator in _COMPARISONS and (len(values) > 1 or isinstance(values[0], Range)):
            raise FilterError(first, self._at - first, f"{operator} compares with one number.")
        return tuple(values)

    def _value(self, known: Field) -> Value:
        start = self._at
        numeric = known.kind in (FieldKind.NUMBER, FieldKind.RUN_NUMBER)
        if self._peek() == "/" and known.kind in (FieldKind.TEXT, FieldKind.WORD):
            return self._pattern()
        text = self._quoted() if self._peek() == '"' and not numeric else self._read_until(_ENDS_WORD | {","})
        if not text:
            raise FilterError(start, self._at - start, f"{known.name} needs a value here.")
        return _numeric(text, start, known.name) if numeric else Text(text)

    def _pattern(self) -> Pattern:
        start = self._at
        self._at += 1
        source = ""
        while (character := self._peek()) != "/":
            if not character:
                raise FilterError(start, self._at - start, "This expression is not closed with a slash.")
            if character == "\\":
                self._at += 1
                escaped = self._peek()
                source += escaped if escaped == "/" else "\\" + escaped
            else:
                source += character
            self._at += 1
        self._at += 1
        _check_pattern(source, start, self._at - start)
        return Pattern(source)

    def _quoted(self) -> str:
        start = self._at
        self._at += 1
        text = ""
        while (character := self._peek()) != '"':
            if not character:
                raise FilterError(start, self._at - start, "These quotes are not closed.")
            if character == "\\" and self._text[self._at + 1 : self._at + 2] in ("\\", '"'):
                self._at += 1
                character = self._peek()
            text += character
            self._at += 1
        self._at += 1
        return text

    def _read_until(self, ends: frozenset[str]) -> str:
        start = self._at
        while (character := self._peek()) and character not in ends and not character.isspace():
            self._at += 1
        return self._text[start : self._at]

    def _peek(self) -> str:
        return self._text[self._at] if self._at < len(self._text) else ""

    def _skip_spaces(self) -> None:
        while self._peek().isspace():
            self._at += 1


def _numeric(text: str, start: int, name: str) -> Number | Range:
    if ".." not in text:
        return Number(_number(text, start, name))
    low, high = text.split("..", 1)
    if not low and not high:
        raise FilterError(start, len(text), "A range needs at least one end.")
    ends = Range(_number(low, start, name) if low else None, _number(high, start, name) if high else None)
    if ends.low is not None and ends.high is not None and ends.low > ends.high:
        raise FilterError(start, len(text), "The range ends before it begins.")
    return ends


def _number(text: str, start: int, name: str) -> float:
    if not is_number(text) or not math.isfinite(float(text)):
        raise FilterError(start, max(len(text), 1), f"{name} takes numbers, “{text}” is none.")
    return float(text)


def _check_pattern(source: str, start: int, length: int) -> None:
    try:
        Pattern(source).compiled  # noqa: B018 - it raises
    except (re.error, OverflowError, RecursionError) as error:
        raise FilterError(start, length, f"This is no regular expression: {error}.") from None
    if not source:
        raise FilterError(start, length, "There is nothing between the slashes.")
