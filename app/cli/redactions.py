"""`stepscope servers redact`: the elements that are never sent, by rules of one's own."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from stepscope.app.cli.arguments import JsonFlag
from stepscope.app.cli.command_row import CommandRow
from stepscope.app.cli.output import print_json, say, table, tell
from stepscope.app.cli.statuses import DONE
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.models.chat import redaction_rules
else:
    redaction_rules = lazy_module("stepscope.models.chat.redaction_rules")

COMMANDS = {
    "list": CommandRow("All rules, one line each.", lambda: list_rules),
    "add": CommandRow("Keep elements back: those for which all that is given holds, whatever its case.", lambda: add),
    "remove": CommandRow("Forget a rule: what it kept back is sent again.", lambda: remove),
}

RuleName = Annotated[str, typer.Argument(metavar="NAME", help="The rule's name.")]


def list_rules(json: JsonFlag = False) -> int:
    """Gives 0."""
    found = redaction_rules.load()
    if json:
        print_json([asdict(one) for one in found])
    elif not found:
        say("There are no rules: only password fields are kept back. Add one: stepscope servers redact add NAME.")
    else:
        table(["name", "never sent"], [[one.name, one.words] for one in found])
    return DONE


def add(
    name: RuleName,
    id: Annotated[
        str, typer.Option("--id", metavar="ID", help="The resource id, whole or behind its slash, or the HTML id.")
    ] = "",
    id_has: Annotated[str, typer.Option("--id-contains", metavar="PART", help="A part of the id.")] = "",
    kind: Annotated[str, typer.Option("--class", metavar="CLASS", help="The class, or the HTML tag.")] = "",
    text: Annotated[str, typer.Option("--text", metavar="TEXT", help="The text or description, whole.")] = "",
    text_has: Annotated[
        str, typer.Option("--text-contains", metavar="PART", help="A part of the text or description.")
    ] = "",
    app: Annotated[
        str, typer.Option("--app", metavar="APP", help="Only there: a package, or the app or site as data names it.")
    ] = "",
    json: JsonFlag = False,
) -> int:
    """Gives 0."""
    rule = redaction_rules.RedactionRule(name, id, id_has, kind, text, text_has, app)
    redaction_rules.add(rule)
    if json:
        print_json(asdict(rule))
    else:
        tell(f"stepscope: never sent from now on: {rule.words}")
    return DONE


def remove(name: RuleName) -> int:
    """Gives 0."""
    gone = redaction_rules.remove(name)
    tell(f"stepscope: sent again: {gone.words}")
    return DONE
