"""`stepscope runs label`: what people say of a run."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import JsonFlag, StoreOption
from stepscope.app.cli.output import print_json, say
from stepscope.app.cli.runs_rules import RunId
from stepscope.app.cli.statuses import DONE
from stepscope.app.cli.stores import find_run, opened
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.core.domain.run import RunLabels
    from stepscope.core.store.repositories import runs
else:
    runs = lazy_module("stepscope.core.store.repositories.runs")


def label(
    id: RunId,
    name: Annotated[str | None, typer.Option("--name", help='Its own name; "" to have none.')] = None,
    remark: Annotated[str | None, typer.Option("--remark", help='What should be known of it; "" for nothing.')] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", help="Add a tag; repeat it for several.")] = None,
    untag: Annotated[list[str] | None, typer.Option("--untag", help="Take a tag away.")] = None,
    pin: Annotated[bool | None, typer.Option("--pin/--unpin", help="Let it stand first in the window's list.")] = None,
    archive: Annotated[bool | None, typer.Option("--archive/--unarchive", help="Put it away in the window.")] = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    with opened(store) as database:
        run = find_run(database, id)
        said = run.labels
        missing = [one for one in untag or () if one not in said.tags]
        if missing:
            raise UsageError(
                f"run {run.id} has no tag {missing[0]!r}.", hint=f"It has: {', '.join(said.tags) or 'none'}."
            )
        said = replace(
            said,
            name=said.name if name is None else name,
            remark=said.remark if remark is None else remark,
            tags=tuple(one for one in (*said.tags, *(tag or ())) if one not in (untag or ())),
            pinned=said.pinned if pin is None else pin,
            archived=said.archived if archive is None else archive,
        )
        try:
            said = said.tidied()
        except ValueError as error:
            raise UsageError(str(error)) from error
        if said != run.labels:
            with database.unit_of_work() as db:
                runs.set_labels(db, run.id, said)
    if json:
        print_json({"run": run.id, "labels": labels_json(said)})
    else:
        say(f"Run {run.id}", *(labels_said(said) or ["Nothing is said of it."]))
    return DONE


def labels_json(labels: RunLabels) -> dict[str, Any]:
    """What is said of a run, as `runs list --json` has it."""
    return {**asdict(labels), "tags": list(labels.tags)}


def labels_said(labels: RunLabels) -> list[str]:
    """The same in lines, of what there is."""
    lines = [f"Name: {labels.name}"] if labels.name else []
    lines += [f"Tags: {', '.join(labels.tags)}"] if labels.tags else []
    lines += [f"Remark: {labels.remark}"] if labels.remark else []
    signs = [word for word, holds in (("pinned", labels.pinned), ("archived", labels.archived)) if holds]
    return [*lines, *([", ".join(signs).capitalize()] if signs else [])]
