"""`stepscope agents diagnose`: whether a run's places would be right in another coordinate space."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from stepscope.app.cli.arguments import JsonFlag, StoreOption
from stepscope.app.cli.evaluate import done_with, index
from stepscope.app.cli.interrupts import cancelled_by_signals
from stepscope.app.cli.output import print_json, say, table, tell
from stepscope.app.cli.progress import bar
from stepscope.app.cli.runs_rules import RunId
from stepscope.app.cli.statuses import DONE, INTERRUPTED
from stepscope.app.cli.stores import find_run, opened
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from collections.abc import Generator

    from stepscope.app.services import coordinate_check, coordinate_doubts
    from stepscope.app.services.coordinate_check import CheckUpdate, CoordinateCheck, SpaceCandidate
    from stepscope.core.domain.run import Run
    from stepscope.core.progress import CancelToken
    from stepscope.core.sources.source import Source
    from stepscope.core.store.engine import Database
    from stepscope.core.store.repositories import coordinate_doubts as stored_doubts
    from stepscope.models.agents.adapter import Adapter
else:
    coordinate_check = lazy_module("stepscope.app.services.coordinate_check")
    coordinate_doubts = lazy_module("stepscope.app.services.coordinate_doubts")
    stored_doubts = lazy_module("stepscope.core.store.repositories.coordinate_doubts")

_EXAMPLES = 5


def diagnose(
    id: RunId,
    read: Annotated[
        str,
        typer.Option(
            "--read", metavar="SPACE", help="Read the stored answers in this space; that run takes this one's place."
        ),
    ] = "",
    adapter: Annotated[
        str, typer.Option(metavar="NAME", help="The adapter of imported raw outputs; a model's own else.")
    ] = "",
    keep: Annotated[
        bool, typer.Option("--keep", help="Say that the run is read rightly: nothing warns of it any more.")
    ] = False,
    data: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Where the run's data is now, if it has moved.")
    ] = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Prints a row for each space, the best first. Gives 0, 130 when stopped; with `--read` what `evaluate` gives."""
    with opened(store) as database, cancelled_by_signals() as token:
        run = find_run(database, id)
        indexed = index(database, data or Path(run.spec.source), run.spec.format, token)
        if indexed is None:
            return INTERRUPTED
        if read:
            prepared = coordinate_check.read_again(database, run, indexed.source, indexed.source_id, read, token)
            return done_with(database, [prepared], store, json)
        found = _checked(database, run, indexed.source, adapter, token)
        if found is None:
            tell("stepscope: interrupted: nothing was changed.")
            return INTERRUPTED
        used = coordinate_check.adapter_of(run, adapter)
        if not adapter:  # of imported answers it is what was named, not what the run is
            coordinate_doubts.remember(database, found)
            if keep:
                with database.unit_of_work() as db:
                    stored_doubts.keep_as_it_is(db, run.id)
        if json:
            print_json(_form(found, used))
        else:
            _show(found, run, used)
    return DONE


def _checked(database: Database, run: Run, source: Source, adapter: str, token: CancelToken) -> CoordinateCheck | None:
    """The check, None when it was interrupted."""
    found: CoordinateCheck | None = None
    updates = cast(
        "Generator[CheckUpdate]", coordinate_check.check(database, run, source, adapter=adapter, token=token)
    )
    with closing(updates), bar(f"Reading run {run.id} again") as show:
        for update in updates:
            show(update.progress)
            found = update.result
    return found


def _form(found: CoordinateCheck, adapter: Adapter | None) -> dict[str, Any]:
    return {
        "run": found.run_id,
        "protocol": found.rule,
        "adapter": None if adapter is None else adapter.name,
        "steps": found.steps,
        "unscored": found.unscored,
        "episodes": found.episodes,
        "points": found.chosen.points,
        "few": found.few,
        "raw": found.raw,
        "chosen": found.chosen.name,
        "winner": found.winner or None,
        "spaces": [
            {
                "space": one.name,
                "title": coordinate_check.space_words(one.name, adapter),
                "chosen": one.chosen,
                "right": one.right,
                "share": one.share,
                "interval": None if one.interval is None else [*one.interval],
                "on_screen": one.on_screen,
                "step_accuracy": one.accuracy,
                "difference": one.accuracy - found.chosen.accuracy,
                "same_as_best": one.same_as_best,
                "gained": one.gained,
                "lost": one.lost,
                "whole_episodes": one.whole,
                "malformed": one.malformed,
            }
            for one in found.candidates
        ],
        "turns": [
            {
                "episode": one.key.episode,
                "step": one.key.step,
                "right": one.better,
                "said": None if one.said is None else [*one.said],
                "now": None if one.now is None else [one.now.x, one.now.y],
                "then": None if one.then is None else [one.then.x, one.then.y],
            }
            for one in found.turns
        ],
    }


def _show(found: CoordinateCheck, run: Run, adapter: Adapter | None) -> None:
    columns = ["space", "right", "share", "interval", "on screen", "step accuracy", "difference", "note"]
    table(columns, [_row(one, found, adapter) for one in found.candidates])
    points, others = found.chosen.points, found.steps - found.chosen.points
    say(f"{points:,} steps with a place; {others:,} without one count the same in every space. Rule: {found.rule}.")
    if not found.raw:
        say("There are no raw outputs: the pixels were read as if they were numbers of the other spaces.")
    if found.few:
        say("They are few: nothing is concluded from fewer than 20.")
    elif not found.explains:
        say("No space explains these points.")
    elif found.winner:
        best = found.candidates[0]
        say(
            f"The places of this run fit {coordinate_check.space_words(best.name, adapter)}, not "
            f"{coordinate_check.space_words(found.chosen.name, adapter)}: {best.right} of {points} right instead of "
            f"{found.chosen.right}."
        )
        say(f"Read the answers again, without asking: stepscope agents diagnose {run.id} --read {best.name}")
        for turn in found.turns[:_EXAMPLES]:
            said = "" if turn.said is None else f", said {turn.said[0]:g}, {turn.said[1]:g}"
            say(f"  step {turn.key.step} of {turn.key.episode}: {'right' if turn.better else 'wrong'} then{said}")
    else:
        say("The chosen space fits as well as any.")


def _row(one: SpaceCandidate, found: CoordinateCheck, adapter: Adapter | None) -> list[Any]:
    low, high = one.interval or (0.0, 0.0)
    note = "chosen" if one.chosen else "cannot be told apart" if one.same_as_best else None
    return [
        coordinate_check.space_words(one.name, adapter),
        one.right,
        "–" if one.share is None else f"{one.share:.3f}",
        "–" if one.interval is None else f"{low:.3f} – {high:.3f}",
        one.on_screen,
        f"{one.accuracy:.3f}",
        "–" if one.chosen else f"{one.accuracy - found.chosen.accuracy:+.3f}",
        note,
    ]
