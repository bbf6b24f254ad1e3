"""Pages of the reference, made from the code itself: whatever it says is what the program does."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from stepscope.app.cli.application import program
from stepscope.app.gui.features.library.filter_suggestions import MEANINGS
from stepscope.app.gui.shell.commands.table import COMMANDS
from stepscope.core.domain.action import ACTION_TYPES, Direction, Finish
from stepscope.core.domain.filter import FIELDS, FieldKind
from stepscope.core.domain.geometry import Point, Size
from stepscope.core.domain.wire import action_from_json, action_to_json
from stepscope.core.limits import LIMITS
from stepscope.core.scoring.options import allowed, parse_options
from stepscope.core.scoring.registry import PROTOCOLS, record_scorer, result_json, score_file

ROOT = Path(__file__).resolve().parents[2]
SCREEN = Size(1080, 2400)

TAKES = {
    FieldKind.TEXT: "text: part of it, `=` the whole, `/…/` a pattern",
    FieldKind.WORD: "a word, or several with commas",
    FieldKind.NUMBER: "a number: `:` `=` `<` `<=` `>` `>=`, a range `1..3`",
    FieldKind.FLAG: "nothing",
    FieldKind.RUN: "a run, or several with commas",
    FieldKind.RUN_NUMBER: "a run and a number: `conf:A<0.4`",
    FieldKind.RULE: "a rule, or several with commas",
}
PLUG_INS: dict[str, tuple[str, ...]] = {
    "stepscope.core.sources.source": ("Format", "Source"),
    "stepscope.core.sources.look": ("Listing",),
    "stepscope.core.sources.folders": ("FolderSource",),
    "stepscope.core.sources.shards": ("ShardSource",),
    "stepscope.core.sources.findings": ("Findings",),
    "stepscope.core.domain.episode": ("Episode", "Step", "Observation", "Picture", "Slice", "Cell", "Ask", "Problem"),
    "stepscope.core.evaluation.predictor": (
        "ModelInfo", "StepRequest", "EpisodeRequest", "OrderRequest", "FieldsRequest", "Predictor", "BatchPredictor",
    ),
    "stepscope.core.domain.prediction": ("Prediction",),
}  # fmt: skip
"""What packages with formats and models of their own stand on."""


def pages() -> dict[str, str]:
    """Markdown by the place of its page."""
    return {
        "reference/commands.md": commands(),
        "reference/filters.md": filters(),
        "reference/actions.md": actions(),
        "reference/records.md": records(),
        "reference/rules.md": rules(),
        "reference/plug-ins.md": plug_ins(),
        "reference/window.md": window(),
        "reference/limits.md": limits(),
    }


def commands() -> str:
    """Every command of the command line with its options, out of the parser."""
    lines = [
        "# Commands and options", "",
        "Out of the parser itself. What each command does with them is told in [Command line](../cli.md).", "",
    ]  # fmt: skip
    for path, command in _commands((), program()):
        lines += [f"{'#' * (1 + len(path))} {' '.join(path)}", "", _sentence(command.help), ""]
        lines += _table(("argument or option", "what it says"), _parameters(command, " ".join(path)))
    return _page(lines)


def _commands(path: tuple[str, ...], group: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, command in group.commands.items():
        whole = getattr(command, "whole", command)
        yield (*path, name), whole
        if hasattr(whole, "commands"):
            yield from _commands((*path, name), whole)


def _parameters(command: Any, path: str) -> list[tuple[str, str]]:
    """Names and help as `--help` prints them; a family of commands has none of its own."""
    if hasattr(command, "commands"):
        return []
    context = command.make_context(path, [], resilient_parsing=True)
    told = [parameter.get_help_record(context) for parameter in command.params]
    return [(f"`{names}`", _sentence(about)) for names, about in filter(None, told)]


def filters() -> str:
    """Every field of the filter language, out of its table."""
    rows = [
        (f"`{field.name}`", MEANINGS[field.name], TAKES[field.kind], "a step" if field.of_step else "an episode",
         "yes" if field.bare else "")
        for field in FIELDS.values()
    ]  # fmt: skip
    lines = [
        "# Filter language", "",
        "The line over the list of episodes, `--filter` of the command line and saved filters speak it.", "",
        "```text",
        'query := and ("|" and)*        and := term+',
        'term  := "-" term | "(" query ")" | all(query) | none(query) | field op value | word',
        "```", "",
        "Terms beside one another must all hold; terms about a step must hold on one same step. A word without a field "
        "is looked for in goal and app. What has blanks in it stands in quotes. Letters of runs are those of the "
        "window; on the command line a run is named by its id or its name.", "",
        *_table(("field", "is about", "takes", "holds on", "alone"), rows),
    ]  # fmt: skip
    return _page(lines)


def actions() -> str:
    """Every kind of action with its JSON form, written by the program and read by it again."""
    lines = [
        "# Actions as JSON", "",
        "What `episode --json` prints and imported predictions hold. Places are pixels of the screenshot; of the "
        "fields that a kind does not use it reads none. The forms below were written and read again for this page.",
        "",
    ]  # fmt: skip
    for kind, made in ACTION_TYPES.items():
        action = _example(made)
        form = action_to_json(action)
        if action_from_json(json.loads(json.dumps(form)), SCREEN) != action:
            raise ValueError(f"{kind} does not come back from its JSON form")
        lines += [f"## `{kind}`", "", _sentence(made.__doc__), "", "```json", json.dumps(form), "```", ""]
    return _page(lines)


_VALUES: dict[str, Any] = {
    "point": Point(540, 1200, SCREEN), "to": Point(540, 400, SCREEN), "direction": Direction.DOWN, "key": "back",
    "text": "Paris",
}  # fmt: skip


def _example(made: Any) -> Any:
    if made is Finish:
        return Finish()
    return made(**{name: value for name, value in _VALUES.items() if name in made.__dataclass_fields__})


def records() -> str:
    """What `stepscope score` takes: the example of each protocol's page, scored when this page is made."""
    lines = [
        "# Scoring records", "",
        "`stepscope score NAME FILE` reads JSON Lines, one object a line; each protocol's page says what its fields "
        "mean. These are the examples of those pages, and what came out when they were scored for this page.", "",
    ]  # fmt: skip
    for name in PROTOCOLS:
        example = _example_record(name)
        lines += [f"## `{name}`", "", f"{record_scorer(name).info.title}: [its fields](../protocols/{name}.md).", ""]
        lines += ["```json", *example, "```", "", "```json", _scored(name, example), "```", ""]
    return _page(lines)


def _example_record(name: str) -> list[str]:
    """The first JSON in the protocol's page that is a record, a line for each object."""
    text = (ROOT / "docs/protocols" / f"{name}.md").read_text("utf-8")
    for block in re.findall(r"^```json\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        decoder, place, found = json.JSONDecoder(), 0, []
        while place < len(block.rstrip()):
            form, place = decoder.raw_decode(block, place)
            found.append(json.dumps(form, ensure_ascii=False))
            place += len(block[place:]) - len(block[place:].lstrip())
        return found
    raise ValueError(f"docs/protocols/{name}.md has no example of a record")


def _scored(name: str, example: Sequence[str]) -> str:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "records.jsonl")
        file.write_text("\n".join(example) + "\n", "utf-8")
        scorer = record_scorer(name)
        options = parse_options(scorer.info, {})
        form = result_json(scorer.info, options, score_file(scorer, file, options))
    return json.dumps({key: form[key] for key in ("n", "metrics") if key in form}, ensure_ascii=False)


def rules() -> str:
    """Every sentence of every protocol with its mark."""
    lines = [
        "# Rules of the protocols", "",
        "Each sentence has a mark: **paper** (from its text), **code** (read in what was released), **ours** (settles "
        "what neither says).",
        "",
    ]  # fmt: skip
    for name in PROTOCOLS:
        info = record_scorer(name).info
        lines += [f"## `{name}`", "", f"{info.title}. {_sentence(info.source)} Version {info.version}.", ""]
        lines += _table(("rule", "mark"), [(rule.text, rule.mark) for rule in info.rules])
        lines += _table(
            ("option", "usual", "may be", "what it says"),
            [(f"`{one.name}`", str(one.default), allowed(one), _sentence(one.help)) for one in info.options],
        )
        lines += [f"Metrics: {', '.join(f'`{metric}`' for metric in info.every_metric)}.", ""]
    return _page(lines)


def plug_ins() -> str:
    """The classes that formats and models of other packages stand on, out of their own words."""
    lines = [
        "# For packages of one's own", "",
        "How they are put together is told in [A format of your own](../own-formats.md) and [Add a "
        "model](../how-to/add-a-model.md).", "",
    ]  # fmt: skip
    for module, names in PLUG_INS.items():
        for name in names:
            made = getattr(importlib.import_module(module), name)
            lines += [f"## {name}", "", "```{eval-rst}", f".. autoclass:: {module}.{name}({_values(made)})"]
            lines += ["   :members:", "```", ""]
    return _page(lines)


def _values(made: type) -> str:
    """What a value of this class is made of, as its fields say: the function that makes one takes anything."""
    if not dataclasses.is_dataclass(made):
        found = inspect.signature(made)
        return "" if getattr(made, "_is_protocol", False) else str(found)[1:].rpartition(")")[0]
    told = []
    for field in dataclasses.fields(made):
        usual = "" if field.default is dataclasses.MISSING else f" = {field.default!r}"
        told.append(f"{field.name}: {field.type}{usual}")
    return ", ".join(told)


def window() -> str:
    """Every command of the window with its keys, by menu."""
    lines = [
        "# Commands of the window",
        "",
        "Keys can be changed under *Preferences ▸ Keys*; `Ctrl+K` finds each by name.",
        "",
    ]
    menus: dict[str, list[tuple[str, str, str]]] = {}
    for row in COMMANDS:
        menu = row.menu.replace("&", "").replace("/", " ▸ ") or "Keys only"
        keys = ", ".join(f"`{key}`" for key in row.keys)
        menus.setdefault(menu, []).append((row.plain_text, keys, row.tip))
    for menu, rows in menus.items():
        lines += [f"## {menu}", "", *_table(("command", "keys", "what it does"), rows)]
    return _page(lines)


def limits() -> str:
    """Every limit with its usual figure and reason."""
    rows = [(f"`{one.name}`", f"{one.value:,} {one.unit}", f"{one.words}. {one.reason}") for one in LIMITS.values()]
    return _page([
        "# Figures of the limits", "", "What they are for, and how to raise one: [Limits](../limits.md).", "",
        *_table(("limit", "usual", "what it bounds, and why it is this much"), rows),
    ])  # fmt: skip


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    if not rows:
        return []
    body = [[str(cell).replace("|", "\\|").replace("\n", " ") for cell in row] for row in rows]
    return [_row(head), _row(["---"] * len(head)), *map(_row, body), ""]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _sentence(text: str | None) -> str:
    found = " ".join(inspect.cleandoc(text or "").split())
    return found if not found or found.endswith((".", "!", "?", ":")) else f"{found}."


def _page(lines: Sequence[str]) -> str:
    return "\n".join(lines).rstrip() + "\n"
