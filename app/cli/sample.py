"""`stepscope sample`: episodes made on the simulated phone. Its browser runs in child processes, never in this one."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import JsonFlag
from stepscope.app.cli.command_row import CommandRow
from stepscope.app.cli.interrupts import cancelled_by_signals
from stepscope.app.cli.output import number_of, print_json, say, table, tell
from stepscope.app.cli.progress import bar
from stepscope.app.cli.statuses import DONE, INTERRUPTED, SOME_FAILED
from stepscope.app.services.version import VERSION
from stepscope.core.domain.largest_number import LARGEST_NUMBER
from stepscope.core.errors import UsageError
from stepscope.core.progress import CancelToken, ProgressMeter
from stepscope.resources.sample.generator.choose import GoalKinds
from stepscope.resources.sample.generator.rough_trees.kinds import TreeKinds

if TYPE_CHECKING:
    from stepscope.core.domain.geometry import Size
    from stepscope.resources.sample.generator.build import Build

COMMANDS = {
    "build": CommandRow("Make episodes to learn from; resumable.", lambda: build),
}

_SIZE = re.compile(r"(\d{2,4})x(\d{2,4})")
_SHAPE, _SHAPE_SLACK = 2400 / 1080, 0.02
_MOST_LISTED = 20
_MOST_EPISODES, _MOST_WORKERS = 1_000_000, 256


def build(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder; what is there already is kept.")],
    episodes: Annotated[int, typer.Option(metavar="N", min=1, max=_MOST_EPISODES, help="How many episodes.")] = 1500,
    seed: Annotated[
        int, typer.Option(metavar="S", min=0, max=LARGEST_NUMBER, help="The same seed gives the same episodes.")
    ] = 0,
    size: Annotated[str, typer.Option(metavar="WxH", help="The phone's screen in pixels.")] = "270x600",
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=_MOST_WORKERS, help="Processes [default: one a core].")
    ] = None,
    apps: Annotated[str | None, typer.Option(metavar="A,B,…", help="Only these apps [default: all].")] = None,
    trees: Annotated[
        TreeKinds, typer.Option(help="Trees as the sample apps tell them, as those of real apps, or half of each.")
    ] = TreeKinds.MIXED,
    goals: Annotated[
        GoalKinds, typer.Option(help="All kinds, or half that leave something out and half that are whole.")
    ] = GoalKinds.ALL,
    json: JsonFlag = False,
) -> int:
    from stepscope.resources.sample.generator.build import Build, BuildSpec

    order = BuildSpec(episodes, seed, parse_size(size), parse_apps(apps), VERSION, trees, goals)
    building = Build(order, out)
    started = time.monotonic()
    with cancelled_by_signals() as token:
        trouble = _built(building, workers or os.cpu_count() or 1, token)
        stopped = token.cancelled
    form = building.finish()
    for line in trouble[:_MOST_LISTED]:
        tell(f"stepscope: {line}")
    made = form["built"] - (episodes - building.missing_before)
    seconds = time.monotonic() - started
    if json:
        print_json({**form, "made": made, "seconds": round(seconds, 1)})
    else:
        _show(form, out)
    if made:
        tell(f"stepscope: {number_of(made, 'episodes')} made in {seconds:.0f} s, {made / seconds:.1f} a second")
    if stopped and form["missing"]:
        tell(f"stepscope: stopped with {form['built']} of {episodes} episodes. The same command goes on.")
        return INTERRUPTED
    return SOME_FAILED if form["missing"] else DONE


def parse_size(text: str) -> Size:
    """The size of `WxH`. Raises UsageError when it is none, or not of the shape that the pages are drawn for."""
    from stepscope.core.domain.geometry import Size

    found = _SIZE.fullmatch(text)
    if found is None:
        raise UsageError(f"{text!r} is no size.", hint="Write width x height in pixels, such as 270x600.")
    size = Size(int(found[1]), int(found[2]))
    if abs(size.height / size.width / _SHAPE - 1) > _SHAPE_SLACK or size.width < 200:
        hint = "Keep to the shape of 1080x2400, at least 200 wide, such as 270x600 or 540x1200."
        raise UsageError(f"the sample phone cannot be {text}.", hint=hint)
    return size


def parse_apps(text: str | None) -> tuple[str, ...]:
    """Names of apps, in the catalogue's order. Raises UsageError for an unknown one."""
    from stepscope.resources.sample.generator.apps import APPS

    if text is None:
        return APPS
    wanted = {name.strip() for name in text.split(",") if name.strip()}
    unknown = sorted(wanted.difference(APPS))
    if unknown or not wanted:
        said = f"there is no sample app {unknown[0]!r}." if unknown else "no app is named."
        raise UsageError(said, hint=f"Apps: {', '.join(APPS)}.")
    return tuple(name for name in APPS if name in wanted)


def _built(building: Build, workers: int, token: CancelToken) -> list[str]:
    """Run the build with a bar; a line for each episode that could not be made."""
    trouble: list[str] = []
    total = building.order.episodes
    meter = ProgressMeter(total, total - building.missing_before)
    with bar("Building") as show:
        show(meter.snapshot())
        for answer in building.run(workers, token):
            made = answer.made
            if made is None or not made["steps"]:
                why = made["replaced"][-1] if made and made["replaced"] else "its worker died over it"
                trouble.append(f"episode {answer.number} could not be made: {why}")
            show(meter.advance())
    return trouble


def _show(form: dict[str, Any], out: Path) -> None:
    say(f"{out}: {number_of(form['built'], 'episodes')}, {number_of(form['steps'], 'steps')}")
    rows = [
        (title, name, count)
        for title in ("splits", "apps", "means", "reasons", "trees")
        for name, count in form[title].items()
    ]
    table(["", "name", "episodes"], rows, numbers=["episodes"])
    say(f"{number_of(form['replaced'], 'draws')} came to nothing and were replaced.", form["about"])
