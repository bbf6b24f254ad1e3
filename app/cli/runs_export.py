"""`stepscope runs export`: a run as files for other programs, for readers, and for other stores."""

from __future__ import annotations

import io
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from stepscope.app.cli import runs_bundle
from stepscope.app.cli.arguments import FilterOption, SetOption, StoreOption
from stepscope.app.cli.interrupts import cancelled_by_signals
from stepscope.app.cli.output import check_output, number_of, say, tell, write_file
from stepscope.app.cli.progress import bar
from stepscope.app.cli.runs_items import RunItemFilter, passing
from stepscope.app.cli.runs_rules import ProtocolOption, RuleOption, RunId, chosen_rule, scoring_id
from stepscope.app.cli.statuses import DONE, INTERRUPTED, SOME_FAILED
from stepscope.app.cli.stores import find_run, opened
from stepscope.core.domain.largest_number import LARGEST_NUMBER
from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass

if TYPE_CHECKING:
    from stepscope.core.domain.run import Run
    from stepscope.core.store.engine import Database


class FileKind(StrEnum):
    """What a run can be written as; pictures make a folder, everything else one file."""

    CSV = "csv"
    JSONL = "jsonl"
    HTML = "html"
    LATEX = "latex"
    BUNDLE = "bundle"
    PICTURES = "pictures"


_ITEMS = (FileKind.CSV, FileKind.PICTURES)
"""What is about chosen items; all else is about the whole run."""
_SCORED = (*_ITEMS, FileKind.HTML, FileKind.LATEX)
"""What has scores, which can be those under another rule."""
_ENDINGS = {".tex": FileKind.LATEX, ".htm": FileKind.HTML}


@dataclass(frozen=True)
class _ItemChoice:
    """Which items, and under which rule. `words` say it."""

    show: RunItemFilter
    episodes: frozenset[str] | None
    scoring: int | None
    without_defects: bool
    words: str


def export(
    id: RunId,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="The file to write; for pictures a folder.")
    ],
    kind: Annotated[
        FileKind | None, typer.Option("--format", "--as", help="What to write; else by FILE's ending.")
    ] = None,
    show: Annotated[RunItemFilter | None, typer.Option("--show", help="Only these items (csv, pictures).")] = None,
    filter: FilterOption = None,
    rule: RuleOption = None,
    protocol: ProtocolOption = None,
    set: SetOption = None,
    without_defects: Annotated[
        bool, typer.Option("--without-defects", help="Leave out items with a defect (csv).")
    ] = False,
    baseline: Annotated[
        str | None, typer.Option(metavar="RUN", help="Compare with this run, item by item (html).")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, max=LARGEST_NUMBER, help="At most so many pictures.")] = None,
    layer: Annotated[
        list[str] | None,
        typer.Option(metavar="gold,pred,tree,tolerance", help="Layers of the pictures; repeat it or use commas."),
    ] = None,
    store: StoreOption = None,
) -> int:
    """Writes the file, or the folder of pictures; its exit status. Raises UsageError for options that the kind does not
    have, and for a rule that the run was not scored under."""
    kind = kind or _kind_of(output)
    scoring = chosen_rule(rule, protocol, set)
    _check_fits(kind, show, filter, scoring is not None, without_defects, baseline, limit, layer)
    if kind is not FileKind.PICTURES:
        check_output(output)
    with opened(store) as database:
        run = find_run(database, id)
        choice = _ItemChoice(
            show or (RunItemFilter.WRONG if kind is FileKind.PICTURES else RunItemFilter.ALL),
            None if filter is None else passing(database, run, filter),
            None if scoring is None else scoring_id(database, run, scoring),
            without_defects,
            "; ".join(filter_words(show, filter, without_defects)),
        )
        if kind is FileKind.PICTURES:
            return _pictures(database, run, output, choice, limit, layer or [])
        other = None if baseline is None else find_run(database, baseline).id
        write_file(output, _writer(database, run, kind, choice, other))
    say(str(output))
    return DONE


def filter_words(show: RunItemFilter | None, filter: str | None, without_defects: bool) -> list[str]:
    """How the items were chosen."""
    return [
        (show or RunItemFilter.ALL).value,
        *([filter] if filter else []),
        *(["without defects"] if without_defects else []),
    ]


def _kind_of(output: Path) -> FileKind:
    ending = output.suffix.lower()
    try:
        return _ENDINGS.get(ending) or FileKind(ending.removeprefix("."))
    except ValueError:
        hint = "Name it .csv, .jsonl, .html, .tex or .bundle, or give --format."
        raise UsageError("its ending does not say what to write.", place=output, hint=hint) from None


def _check_fits(
    kind: FileKind,
    show: RunItemFilter | None,
    filter: str | None,
    ruled: bool,
    without_defects: bool,
    baseline: str | None,
    limit: int | None,
    layer: list[str] | None,
) -> None:
    """Raise UsageError for an option that means nothing to this kind of file."""
    given: tuple[tuple[str, object, tuple[FileKind, ...]], ...] = (
        ("--show", show, _ITEMS),
        ("--filter", filter, _ITEMS),
        ("--without-defects", without_defects, (FileKind.CSV,)),
        ("--rule", ruled, _SCORED),
        ("--baseline", baseline, (FileKind.HTML,)),
        ("--limit", limit, (FileKind.PICTURES,)),
        ("--layer", layer, (FileKind.PICTURES,)),
    )
    for name, value, kinds in given:
        if value and kind not in kinds:
            hint = f"Leave it out, or export --format {kinds[0].value}."
            raise UsageError(f"{name} goes with {' and '.join(kinds)} only.", hint=hint)
    if show is RunItemFilter.FLIPS and not ruled:
        raise UsageError("--show flips needs a rule.", hint="Give --rule ID, or --protocol P.")


def _writer(
    database: Database, run: Run, kind: FileKind, choice: _ItemChoice, baseline: str | None
) -> Callable[[IO[bytes]], object]:
    from stepscope.app.services.export.reports import latex_of, report_of
    from stepscope.app.services.provenance import title_of_key
    from stepscope.core.evaluation.export import export_csv, export_predictions

    def write(stream: IO[bytes]) -> None:
        if kind is FileKind.BUNDLE:
            runs_bundle.write(database, run, stream)
            return
        text = io.TextIOWrapper(stream, encoding="utf-8", errors="backslashreplace", newline="")
        if kind is FileKind.HTML:
            text.write(report_of(database, run.id, scoring_id=choice.scoring, baseline=baseline))
        elif kind is FileKind.LATEX:
            text.write(latex_of(database, run.id, scoring_id=choice.scoring))
        elif kind is FileKind.CSV:
            export_csv(
                database,
                run.id,
                text,
                show=choice.show.value,
                episodes=choice.episodes,
                scoring_id=choice.scoring,
                without_defects=choice.without_defects,
                words=choice.words,
                data=title_of_key(run.spec.source),
            )
        else:
            export_predictions(database, run.id, text)
        text.flush()
        text.detach()

    return write


def _pictures(
    database: Database, run: Run, folder: Path, choice: _ItemChoice, limit: int | None, layer: list[str]
) -> int:
    """Ctrl-C keeps the pictures that are there. Items that cannot be drawn are named on stderr."""
    from stepscope.app.services.export.run_pictures import write_pictures
    from stepscope.core.domain.layers import DEFAULT_LAYERS, layers_named

    names = [name.strip() for part in layer for name in part.split(",") if name.strip()]
    layers = layers_named(names) if names else DEFAULT_LAYERS
    if folder.exists() and not folder.is_dir():
        raise UsageError("this is a file, and pictures need a folder.", place=folder, hint="Name a folder.")
    with cancelled_by_signals() as token, bar(f"Drawing run {run.id}") as show:
        work = write_pictures(
            database,
            run.id,
            folder,
            token,
            show=choice.show.value,
            episodes=choice.episodes,
            scoring_id=choice.scoring,
            limit=limit,
            layers=layers,
        )
        while True:
            try:
                show(next(work))
            except StopIteration as end:
                written = end.value
                break
    for problem in written.problems:
        step = "" if problem.step is None else f", step {problem.step}"
        tell(f"stepscope: {problem.episode}{step}: {problem.message}")
    say(str(folder))
    tell(f"stepscope: {number_of(written.pictures, 'pictures')}")
    if token.cancelled:
        tell("stepscope: interrupted. What was drawn is kept.")
        return INTERRUPTED
    return SOME_FAILED if written.problems else DONE
