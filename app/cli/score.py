"""`stepscope score`: reference and prediction side by side in a file, under a protocol."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import MOST_DRAWS, DrawSeedOption, JsonFlag, SetOption
from stepscope.app.cli.output import check_output, json_lines, number_of, print_json, say, table, tell, write_file
from stepscope.app.cli.statuses import DONE, SOME_FAILED
from stepscope.core.errors import UsageError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.core.scoring import registry
    from stepscope.core.scoring.rule import Options, RecordResult, RecordScorer
else:
    registry = lazy_module("stepscope.core.scoring.registry")

STDIN = "-"
_SKIPPED_SHOWN = 50


@dataclass(frozen=True, slots=True)
class _ScoringRequest:
    """How records are to be scored, the same for every file of a call."""

    scorer: RecordScorer
    options: Options
    bootstrap: int
    seed: int
    skip_bad: bool
    cluster: str


def score(
    protocol: Annotated[str, typer.Argument(metavar="PROTOCOL", help="The rule: 'stepscope protocols' lists them.")],
    file: Annotated[str, typer.Argument(metavar="FILE", help="JSON Lines, one record a line; - reads stdin.")],
    set: SetOption = None,
    details: Annotated[
        Path | None, typer.Option(metavar="OUT.jsonl", help="Write each record's own scores, one line a record.")
    ] = None,
    bootstrap: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, max=MOST_DRAWS, help="Draws for 95 % intervals, whole episodes or tasks at once."
        ),
    ] = 0,
    seed: DrawSeedOption = 0,
    cluster: Annotated[
        str, typer.Option(metavar="FIELD", help="Draw all records with one value of this field at once, such as app.")
    ] = "",
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Leave bad records out, and count them.")] = False,
    another_seed: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="The same model trained with another seed; repeat it. Gives mean and SD."),
    ] = None,
    json: JsonFlag = False,
) -> int:
    """Prints the metrics. Gives 0, or 1 where records were left out. Raises UserError naming file and line of a bad
    record, UsageError for options."""
    from stepscope.app.services.scoring import record_scorer
    from stepscope.core.scoring.options import parse_assignments, parse_options

    settings = parse_assignments(set or ())
    files = [file, *map(str, another_seed or ())]
    if files.count(STDIN) > 1:
        raise UsageError("stdin can be read once only.", hint="Name files for the other seeds.")
    _check_unlike(files)
    if details is not None:
        _check_details(details, files)
    scorer = record_scorer(protocol)
    asked = _ScoringRequest(scorer, parse_options(scorer.info, settings), bootstrap, seed, skip_bad, cluster)
    result, *others = [_scored(one, asked) for one in files]
    if details is not None:
        write_file(details, json_lines(dict(row) for row in result.details))
        tell(f"One line for each of {number_of(len(result.details), 'records')} is in {details}.")
    form = registry.result_json(scorer.info, asked.options, result, bootstrap=bootstrap)
    if others:
        form["seeds"] = _over_seeds([result, *others])
    if json:
        print_json(form)
    else:
        _show(form)
    return _skipped(files, [result, *others])


def _scored(file: str, asked: _ScoringRequest) -> RecordResult:
    """The scored records; every error names the file, or stdin, and the line."""
    from stepscope.core.scoring.records import Records

    how = {"bootstrap": asked.bootstrap, "seed": asked.seed}
    read = {"skip_bad": asked.skip_bad, "cluster": asked.cluster}
    if file != STDIN:
        return registry.score_file(asked.scorer, Path(file), asked.options, **how, **read)  # type: ignore[arg-type]
    try:
        records = Records.from_stream(sys.stdin.buffer, **read)  # type: ignore[arg-type]
        return registry.score_records(asked.scorer, records, asked.options, **how)
    except UserError as error:
        if error.record and not error.place:
            raise UserError(error.message, place="stdin", record=error.record, hint=error.hint) from error
        raise


def _over_seeds(results: list[RecordResult]) -> dict[str, Any]:
    """Mean and standard deviation of each metric over trainings, as `"seeds"` of the result object."""
    from stepscope.core.scoring.paired_tests import over_seeds

    values = [result.metrics.as_dict() for result in results]
    summaries = {name: over_seeds([one[name] for one in values]) for name in values[0]}
    return {
        "n": len(results),
        "mean": {name: summary.mean for name, summary in summaries.items()},
        "deviation": {name: summary.deviation for name, summary in summaries.items()},
        "counts": {name: summary.n for name, summary in summaries.items()},
    }


def _check_unlike(files: list[str]) -> None:
    """One file given twice would look like a model that no seed changes."""
    known: set[Path] = set()
    for file in files:
        place = Path(file).resolve()
        if file != STDIN and place in known:
            raise UsageError("the file is given twice.", place=file, hint="Name another seed's records.")
        known.add(place)


def _check_details(details: Path, files: list[str]) -> None:
    """The details must not take the place of what they are about, nor stand among the results on stdout."""
    if str(details) == STDIN:
        raise UsageError("details go into a file, not to stdout.", hint="Write for example --details details.jsonl.")
    check_output(details)
    for file in files:
        if file != STDIN and details.exists() and Path(file).exists() and details.samefile(file):
            raise UsageError("the details would overwrite the records.", place=details, hint="Name another file.")


def _skipped(files: list[str], results: list[RecordResult]) -> int:
    """List the records that were left out; the exit status."""
    status = DONE
    for file, result in zip(files, results, strict=True):
        name = "stdin" if file == STDIN else file
        if not result.skipped:
            continue
        status = SOME_FAILED
        tell(f"stepscope: {name}: {number_of(len(result.skipped), 'bad records')} left out:")
        for bad in result.skipped[:_SKIPPED_SHOWN]:
            tell(f"{name}:{bad.line}: {bad.message}")
        if len(result.skipped) > _SKIPPED_SHOWN:
            tell(f"… and {len(result.skipped) - _SKIPPED_SHOWN} more: --json lists all of them.")
    return status


def _show(form: dict[str, Any]) -> None:
    options = " ".join(f"{name}={value}" for name, value in form["options"].items())
    say(f"{form['protocol']} {options}".rstrip())
    counts = ", ".join(f"{name} {form[name]}" for name in ("n", "unscored", "malformed", "null", "errors"))
    say(counts, "")
    intervals, seeds = form.get("ci"), form.get("seeds")
    columns = ["metric", "value"]
    columns += ["low", "high"] if intervals is not None else []
    columns += [f"mean of {seeds['n']}", "SD"] if seeds else []
    rows = []
    for name, value in form["metrics"].items():
        low, high = (intervals or {}).get(name) or (None, None)
        row = [name, value, *((low, high) if intervals is not None else ())]
        rows.append([*row, *((seeds["mean"][name], seeds["deviation"][name]) if seeds else ())])
    table(columns, rows, numbers=columns[1:])
    measured_by = [f"{name} by {by}" for name, by in form.get("measured_by", {}).items() if by is not None]
    if measured_by:
        say("", *measured_by)
    for note in form.get("notes", ()):
        tell(f"stepscope: {note}")
