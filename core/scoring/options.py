"""Options of protocols: from the text of `--set name=value` to checked values, defaults filled in."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence

from stepscope.core.errors import UsageError
from stepscope.core.scoring.names import did_you_mean
from stepscope.core.scoring.option import Option, OptionValue
from stepscope.core.scoring.rule import Options, ProtocolInfo


def parse_assignments(texts: Iterable[str], flag: str = "--set", example: str = "direction=exact") -> dict[str, str]:
    """`name=value` texts as a mapping; the last of equal names counts. Raises UsageError that names the `flag`
    they were given with."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"{flag} {text!r} is not name=value.", hint=f"Write for example {flag} {example}.")
        found[name.strip()] = value.strip()
    return found


def parse_options(info: ProtocolInfo, given: Mapping[str, str]) -> Options:
    """Every option of the protocol with its given or default value. Raises UsageError for what does not fit."""
    return checked(info.name, info.options, given)


def checked(owner: str, options: Sequence[Option], given: Mapping[str, str]) -> Options:
    """Every one of the options, which a protocol or a model of the name `owner` has, with its given or default value.
    Raises UsageError for what does not fit."""
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            raise UsageError(f"{owner} has no option {name!r}.", hint=_known_options(name, options))
    return {name: _value(owner, option, given[name]) if name in given else option.default
            for name, option in known.items()}  # fmt: skip


def default_options(info: ProtocolInfo) -> Options:
    """Every option of the protocol at its default."""
    return parse_options(info, {})


def allowed(option: Option) -> str:
    """What an option may be set to, in words."""
    if option.choices:
        return " or ".join(option.choices) if len(option.choices) < 3 else ", ".join(option.choices)
    if isinstance(option.default, str):
        return f"{option.default} or {option.takes or 'a file'}"
    kind = "a whole number" if isinstance(option.default, int) else "a number"
    if math.isinf(option.high):
        return f"{kind} from {option.low:.12g}"
    return f"{kind} from {option.low:.12g} to {option.high:.12g}"


def _value(owner: str, option: Option, text: str) -> OptionValue:
    if option.choices:
        if text in option.choices:
            return text
    elif isinstance(option.default, str):
        if text and "\0" not in text:
            return text if text == option.default or option.takes else os.path.abspath(text)  # noqa: PTH100 - links stay as they are
    else:
        number = _number(text, whole=isinstance(option.default, int))
        if number is not None and option.low <= number <= option.high:
            return number
    raise UsageError(f"{owner}: {option.name} cannot be {text!r}.", hint=f"Allowed: {allowed(option)}.")


def _number(text: str, *, whole: bool) -> int | float | None:
    try:
        number = int(text) if whole else float(text)
    except ValueError:
        return None
    return number if whole or math.isfinite(number) else None


def _known_options(name: str, options: Sequence[Option]) -> str:
    if not options:
        return "It has none."
    known = "; ".join(f"{option.name} ({allowed(option)})" for option in options)
    return f"{did_you_mean(name, [option.name for option in options])}Options: {known}."
