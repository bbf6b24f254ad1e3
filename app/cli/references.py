"""`stepscope references`: a data set's recorded actions scored against themselves."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from stepscope.app.cli.arguments import DataPath, FormatOption, JsonFlag, StoreOption
from stepscope.app.cli.evaluate import index
from stepscope.app.cli.interrupts import cancelled_by_signals
from stepscope.app.cli.output import number_of, print_json, say, table, tell
from stepscope.app.cli.progress import bar
from stepscope.app.cli.runs_rules import RulesOption
from stepscope.app.cli.statuses import DONE, INTERRUPTED, SOME_FAILED
from stepscope.app.cli.stores import opened
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from collections.abc import Generator

    from stepscope.app.services import evaluation, reference_check
    from stepscope.app.services.reference_check import ReferenceCheck, ReferenceUpdate
else:
    evaluation = lazy_module("stepscope.app.services.evaluation")
    reference_check = lazy_module("stepscope.app.services.reference_check")

_SHOWN = 20


def references(
    path: DataPath, rule: RulesOption = None, format: FormatOption = None, store: StoreOption = None,
    json: JsonFlag = False,
) -> int:  # fmt: skip
    """Gives 0, 1 where episodes could not be read, 130 when stopped."""
    with opened(store) as database, cancelled_by_signals() as token:
        indexed = index(database, path, format, token)
        if indexed is None:
            return INTERRUPTED
        episodes = evaluation.selection(database, indexed.source_id, evaluation.EvaluationRequest())
        found: ReferenceCheck | None = None
        updates = cast(
            "Generator[ReferenceUpdate]",
            reference_check.check_references(indexed.source, episodes, rule or (), token),
        )
        with closing(updates), bar("Checking references") as show:
            for update in updates:
                show(update.progress)
                found = update.result
    if found is None:
        tell("stepscope: interrupted: nothing was kept.")
        return INTERRUPTED
    if json:
        print_json(_form(found))
    else:
        _show(found, path)
    for episode, why in found.unreadable:
        tell(f"stepscope: warning: {path}:{episode}: {why}")
    return SOME_FAILED if found.unreadable else DONE


def _form(found: ReferenceCheck) -> dict[str, Any]:
    def places(keys: Any) -> list[dict[str, Any]]:
        return [{"episode": key.episode, "step": key.step} for key in keys]

    return {
        "steps": found.steps,
        "kinds": dict(found.kinds),
        "rules": [
            {"rule": one.rule, "judged": one.judged, "wrong": one.wrong, "unscored": one.unscored}
            for one in found.rules
        ],
        "failed": [
            {"episode": one.key.episode, "step": one.key.step, "kind": one.kind, "rules": [*one.rules], "why": one.why}
            for one in found.failed
        ],
        "large": places(found.large),
        "boxless": places(found.boxless),
        "unreadable": [{"episode": episode, "why": why} for episode, why in found.unreadable],
    }


def _show(found: ReferenceCheck, path: Path) -> None:
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in found.kinds)
    say(f"{number_of(found.steps, 'recorded actions')} in {path}: {kinds or 'none'}", "")
    table(
        ["rule", "judged", "wrong", "unscored"],
        [[one.rule, one.judged, one.wrong, one.unscored] for one in found.rules],
    )
    say(
        f"Touches in an element of more than half the screen: {len(found.large):,}; in none that the data knows: "
        f"{len(found.boxless):,}."
    )
    if not found.steps:
        say("There are no recorded actions to check.")
        return
    if not found.failed:
        say("Every reference is right under every rule that judges it.")
        return
    say("", f"{number_of(len(found.failed), 'references')} fail:")
    rows = [[one.key.episode, one.key.step, one.kind, ", ".join(one.rules), one.why] for one in found.failed[:_SHOWN]]
    table(["episode", "step", "kind", "rules", "why"], rows)
    if len(found.failed) > _SHOWN:
        say(f"… and {len(found.failed) - _SHOWN:,} more: --json has all of them.")
