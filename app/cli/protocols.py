"""`stepscope protocols`: the rules, who each of them is from, and what the papers report under them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import JsonFlag
from stepscope.app.cli.output import print_json, say, table
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.core.scoring import registry
    from stepscope.core.scoring.rule import ProtocolInfo
else:
    registry = lazy_module("stepscope.core.scoring.registry")


def protocols(
    name: Annotated[str | None, typer.Argument(metavar="PROTOCOL", help="Tell this one's rules.")] = None,
    json: JsonFlag = False,
) -> int:
    """Prints all protocols, or one with its rules and published numbers; gives 0. Raises UsageError for an unknown
    name."""
    infos = (
        [scorer.info for scorer in registry.PROTOCOLS.values()] if name is None else [registry.record_scorer(name).info]
    )
    if json:
        forms = [_form(info) for info in infos]
        print_json(forms if name is None else forms[0])
    elif name is None:
        table(["name", "title", "metrics"], [[info.name, info.title, " ".join(info.metrics)] for info in infos])
    else:
        _tell(infos[0])
    return 0


def _form(info: ProtocolInfo) -> dict[str, Any]:
    from stepscope.core.scoring.options import allowed
    from stepscope.core.scoring.published_numbers import of_protocol

    return {
        "name": info.name,
        "title": info.title,
        "task": info.task.value if info.task else None,
        "steps": info.name in registry.step_protocols(),
        "version": info.version,
        "source": info.source,
        "metrics": list(info.metrics),
        "early_metrics": list(info.early),
        "lower_is_better": sorted(info.lower_is_better),
        "rules": [{"text": rule.text, "mark": rule.mark} for rule in info.rules],
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "allowed": allowed(option),
                "help": option.help,
                "mark": option.mark,
            }
            for option in info.options
        ],
        "published": [
            {
                "metric": number.metric,
                "value": number.value,
                "options": dict(number.options),
                "model": number.model,
                "data": number.data,
                "format": number.format or None,
                "split": number.split or None,
                "source": number.source,
                "note": number.note or None,
                "context": number.context,
            }
            for number in of_protocol(info.name)
        ],
    }


def _tell(info: ProtocolInfo) -> None:
    form = _form(info)
    say(f"{info.name}: {info.title}", f"Source: {info.source}.", "")
    table(["mark", "rule"], [[rule.mark, rule.text] for rule in info.rules])
    if info.options:
        say("", "Options (--set name=value):", "")
        rows = [[one["name"], one["default"], one["allowed"], one["mark"], one["help"]] for one in form["options"]]
        table(["name", "default", "allowed", "mark", "help"], rows)
    say("", f"Metrics: {', '.join(info.metrics)}.")
    if info.early:
        say(f"Where answers tell what was known on the way: {', '.join(info.early)}.")
    if form["published"]:
        _tell_published(form["published"])


def _tell_published(numbers: list[dict[str, Any]]) -> None:
    say("", "Published numbers, as fractions; those in brackets are context and stand beside no run:", "")
    rows = []
    for one in numbers:
        value = f"({one['value']:.3f})" if one["context"] else f"{one['value']:.3f} "
        options = " ".join(f"{name}={value}" for name, value in one["options"].items())
        rows.append([one["metric"], value, options, one["model"], one["data"], one["source"], one["note"]])
    table(["metric", "value", "options", "model", "data", "source", "note"], rows, numbers=["value"])
