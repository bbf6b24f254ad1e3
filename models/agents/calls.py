"""Calls in what a model wrote: lenient about form. What they mean is said in `vocabulary`.

A call is a name with arguments. It is found in one of the forms that published agents write: Python calls, JSON
objects or Python literals, tool calls with tags, XML functions, lines of words, bare points. Hazards that the agents'
own parsers fall over are read: a missing bracket, quotes inside quotes, an end token that was left on, `Action:` left
out.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import Any

from stepscope.core.frozen import dataclass
from stepscope.core.json_bounds import bounded_loads


@dataclass(frozen=True, slots=True)
class AgentCall:
    """`at`: where in the text it begins."""

    name: str
    arguments: dict[str, Any] = field(default_factory=dict)
    at: int = 0


class UnreadableError(ValueError):
    """`at`: where in the text reading stopped."""

    def __init__(self, message: str, at: int = 0) -> None:
        super().__init__(message)
        self.at = at


END_TOKENS = (
    "<|im_end|>", "<|endoftext|>", "<|diff_marker|>", "<|eot_id|>", "<|end|>", "<end_of_utterance>", "</s>", "<eos>",
)  # fmt: skip
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def without_end_tokens(text: str) -> str:
    """The text without tokens of its end that a tokeniser left on, each taken whole."""
    found = text.rstrip()
    while token := next((one for one in END_TOKENS if found.endswith(one)), ""):
        found = found.removesuffix(token).rstrip()
    return found


# Python calls ---------------------------------------------------------------------------------------------------------

_BEGINNINGS = (
    re.compile(r"<action>", re.IGNORECASE),
    re.compile(r"Grounded Operation\s*[:：]", re.IGNORECASE),
    re.compile(r"```(?:python|code)?\s*\n"),
    re.compile(r"(?:<\|recipient\|>|\bassistant)\s*os\b"),
    re.compile(r"^\s*os\s*$", re.MULTILINE),
    re.compile(r"^\s*Action\s*[:：]", re.MULTILINE | re.IGNORECASE),
)
"""What stands before the calls, the surest first; the last occurrence of the first kind that occurs counts."""
_CALL = re.compile(r"\s*[;,]?\s*(?:(?:pyautogui|mobile|browser|computer)\.)?([A-Za-z_]\w*)\s*\(")
_NAME = re.compile(r"\s*([A-Za-z_]\w*)\s*=(?!=)\s*")
_END_OF_TEXT = re.compile(r"\s*(?:,\s*[A-Za-z_]\w*\s*=|\)|$)")
_NEXT_IN_TURN = re.compile(r"\s*,\s*['\"\[\d-]")
"""What follows an argument without a name that another such one follows."""
_END_OF_LAST_TEXT = re.compile(r"\s*(?:,\s*[A-Za-z_]\w*\s*=|\)?\s*(?:\n|;|</action>|```|$))")


def python_calls(text: str) -> list[AgentCall]:
    """`click(start_box='(1,2)')`, one or several; empty where there is none."""
    for begin in _regions(text):
        found = list(_calls_from(text, begin))
        if found:
            return found
    return []


def _regions(text: str) -> Iterator[int]:
    for beginning in _BEGINNINGS:
        places = [one.end() for one in beginning.finditer(text)]
        if places:
            yield places[-1]
    any_call = re.search(r"(?<![\w.])(?:(?:pyautogui|mobile|browser|computer)\.)?[A-Za-z_]\w*\s*\(", text)
    if any_call:
        yield any_call.start()


def _calls_from(text: str, at: int) -> Iterator[AgentCall]:
    while found := _CALL.match(text, at):
        arguments, at = _arguments(text, found.end())
        yield AgentCall(found[1], arguments, found.start(1))


def _arguments(text: str, at: int) -> tuple[dict[str, Any], int]:
    """Named ones by their names, others by their places "0", "1", …; and what follows the bracket, present or not."""
    found: dict[str, Any] = {}
    while True:
        at = _after_spaces(text, at)
        if at >= len(text) or text[at] == ")":
            return found, min(at + 1, len(text))
        if text[at] == ",":
            at += 1
            continue
        named = _NAME.match(text, at)
        name, at = (named[1], named.end()) if named else (str(len(found)), at)
        begin = at
        value, at = _value(text, at, _NEXT_IN_TURN if named is None else None)
        if at == begin:  # nothing was read: the call ends here, as it does where a line of words follows
            return found, at
        found[name] = value


def _value(text: str, at: int, other_end: re.Pattern[str] | None) -> tuple[Any, int]:
    if at < len(text) and text[at] in "'\"":
        return _quoted(text, at, other_end)
    begin, depth = at, 0
    while at < len(text):
        sign = text[at]
        if depth == 0 and sign in ",)\n":
            break
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
        at += 1
    word = text[begin:at].strip()
    return literal(word), at


def _quoted(text: str, at: int, other_end: re.Pattern[str] | None) -> tuple[str, int]:
    """A text in quotes, in which the same quotes may stand: it ends at the first that an end or `other_end` follows."""
    quote, at = text[at], at + 1
    begin, fallback = at, -1
    while at < len(text):
        if text[at] == "\\":
            at += 2
            continue
        if text[at] == quote:
            if _END_OF_LAST_TEXT.match(text, at + 1) or (other_end and other_end.match(text, at + 1)):
                return _unescaped(text[begin:at]), at + 1
            if fallback < 0 and _END_OF_TEXT.match(text, at + 1):
                fallback = at
        at += 1
    end = fallback if fallback >= 0 else _end_of_unclosed(text, begin)
    return _unescaped(text[begin:end]), min(end + 1, len(text))


def _end_of_unclosed(text: str, begin: int) -> int:
    """Where a text ends whose quote was never closed: before the bracket that ends its line, or with the line."""
    line = text.find("\n", begin)
    end = len(text) if line < 0 else line
    return end - 1 if text[begin:end].endswith(")") else end


_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "'": "'", '"': '"', "\\": "\\"}


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: _ESCAPED.get(found[1], found[0]), text, flags=re.DOTALL)


def _after_spaces(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def literal(word: str) -> Any:
    """A number, list or truth value, else the words themselves."""
    try:
        return ast.literal_eval(word)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return word


# Objects --------------------------------------------------------------------------------------------------------------

_TOOL_CALL = re.compile(r"<(?:seed:)?tool_call>")
_TOOL_CALL_END = re.compile(r"</(?:seed:)?tool_call>")
_MOST_TRIES = 30
"""Brackets of one answer that may turn out to begin no object (ours)."""
_FUNCTION = re.compile(r"<function=([\w.-]+)>(.*?)(?:</function>|$)", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=([\w.-]+)>(.*?)(?:</parameter>|(?=<parameter=)|$)", re.DOTALL)


def tool_calls(text: str) -> list[AgentCall]:
    """Tool calls of chat templates: JSON with name and arguments, with tags or without, or XML functions."""
    found = [
        AgentCall(one[1], {key: literal(value.strip()) for key, value in _PARAMETER.findall(one[2])}, one.start())
        for one in _FUNCTION.finditer(text)
    ]
    if found:
        return [_by_action(one) for one in found]
    begin = _TOOL_CALL.search(text)
    return [
        _by_action(AgentCall(str(form.get("name", "")), _named_arguments(form, at), at))
        for form, at in objects(text, begin.end() if begin else 0)
        if "arguments" in form or "action" in form
    ]


def _named_arguments(form: Mapping[str, Any], at: int) -> dict[str, Any]:
    found = form.get("arguments", form)
    if isinstance(found, str):
        inner = [one for one, _ in objects(found)]
        found = inner[0] if inner else None
    if not isinstance(found, Mapping):
        raise UnreadableError("the tool call's arguments are no object", at)
    return dict(found)


def _by_action(call: AgentCall) -> AgentCall:
    """Calls of a tool that does many things are named by the one they do."""
    action = call.arguments.get("action")
    if not isinstance(action, str):
        return call
    return AgentCall(action, {key: value for key, value in call.arguments.items() if key != "action"}, call.at)


def objects(text: str, begin: int = 0) -> Iterator[tuple[dict[str, Any], int]]:
    """The outermost objects in a text, as JSON or as Python writes them, and where each begins."""
    at, tries = begin, 0
    while tries < _MOST_TRIES and (at := text.find("{", at)) >= 0:
        end = _end_of_object(text, at)
        form = _object(text[at:end])
        if form is None:
            at, tries = at + 1, tries + 1
        else:
            yield form, at
            at = end


def _end_of_object(text: str, at: int) -> int:
    """What follows the bracket that closes the one at `at`; the text's end where it is missing."""
    depth, quote = 0, ""
    while at < len(text):
        sign = text[at]
        if quote:
            if sign == "\\":
                at += 1
            elif sign == quote:
                quote = ""
        elif sign in "\"'":
            quote = sign
        elif sign in "{[":
            depth += 1
        elif sign in "}]":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return len(text)


def _object(text: str) -> dict[str, Any] | None:
    """Read as JSON, as Python, and with brackets closed that a cut answer left open."""
    stripped = _TOOL_CALL_END.split(text)[0].rstrip()
    for form in (stripped, *(stripped + end for end in ("}", "}}", "]}", "]}}"))):
        for read in _READERS:
            try:
                found = read(form)
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                continue
            if isinstance(found, dict) and all(isinstance(key, str) for key in found):
                return found
    return None


_READERS: tuple[Callable[[str], Any], ...] = (bounded_loads, ast.literal_eval)


def object_calls(text: str) -> list[AgentCall]:
    """Objects without tags, each a call that its dialect names."""
    return [AgentCall("", form, at) for form, at in objects(text)]


# Lines of words -------------------------------------------------------------------------------------------------------

_HEADING = re.compile(r"^[ \t]*actions?[ \t]*[:：]", re.IGNORECASE | re.MULTILINE)
_WORDS = re.compile(
    r"^[ \t]*([A-Za-z_]+)[ \t]*"
    r"(?:(?P<box><(?:point|box)>.*|\(.*|\[\[.*)|\[(?P<text>[\s\S]{0,2000}?)\](?=\s*$)|\[(?P<open>.*))?[ \t]*$",
    re.MULTILINE,
)


def word_calls(text: str) -> list[AgentCall]:
    """OS-Atlas's lines after `actions:`: `CLICK <point>[[x,y]]</point>`, `TYPE [words]`, `PRESS_BACK`. A bracket
    that is not closed ends with the answer. Raises UnreadableError where it is not known what it would hold."""
    headings = [*_HEADING.finditer(text)]
    found = []
    for words in _WORDS.finditer(text, headings[-1].end() if headings else 0):
        if words["open"] is not None and text[words.end() :].strip():
            raise UnreadableError(f"{words[1]}: the bracket is not closed", words.start())
        inner = words["text"] if words["open"] is None else words["open"].removesuffix("]")
        arguments = {"box": words["box"]} if words["box"] else {} if inner is None else {"text": inner.strip()}
        found.append(AgentCall(words[1], arguments, words.start(1)))
    return found


# Points ---------------------------------------------------------------------------------------------------------------

_BOX, _BOX_END = "<|box_start|>", "<|box_end|>"
_LONGEST_POINT = 200
"""Characters of a point with its marks (ours)."""
_REFERRED = re.compile(r"\s*<ref>[^<]{0,500}</ref>")
_BARE = re.compile(
    r"\s*(?:<\|box_start\|>|<(?:point|bbox|box)>)?[\s()\[\],.\d+-]+(?:<\|box_end\|>|</(?:point|bbox|box)>)?\s*"
)


def bare_points(text: str) -> list[AgentCall]:
    """An answer that is a point or a box and nothing else, as grounding models give it: a click there. What the box is
    about may stand before it (InternVL's `<ref>`)."""
    begin = max(0, text.find(_BOX))
    if named := _REFERRED.match(text):
        text, begin = text[named.end() :], 0
    end = text.find(_BOX_END, begin)
    whole = (text[begin : end + len(_BOX_END)] if text.startswith(_BOX, begin) and end > begin else text).strip()
    if len(whole) > _LONGEST_POINT or not _BARE.fullmatch(whole) or len(numbers(whole)) not in (2, 4):
        return []
    return [AgentCall("click", {"box": whole}, begin)]


def numbers(value: object) -> list[float]:
    """The numbers in a text or in nested lists, in order."""
    if isinstance(value, bool) or value is None:
        return []
    if isinstance(value, int | float):
        return [float(value)]
    if isinstance(value, str):
        return [float(one) for one in _NUMBER.findall(value)]
    if isinstance(value, list | tuple):
        return [one for part in value for one in numbers(part)]
    if isinstance(value, Mapping) and {"x", "y"} <= value.keys():
        return numbers([value["x"], value["y"]])
    return []
