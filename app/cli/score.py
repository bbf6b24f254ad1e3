"""`stepscope score`: reference and prediction side by side in a file, under a protocol."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.arguments import JsonFlag, SetOption
from app.cli.output import check_output, json_lines, print_json, say, table, tell, write_file
from core.errors import UsageError, UserError

if TYPE_CHECKING:
    from core.scoring.rule import Options, ProtocolInfo, RecordResult

STDIN = "-"


def register(application: typer.Typer) -> None:
    application.command("score", help="Score a file of records under a protocol.")(score)


def score(
    protocol: Annotated[str, typer.Argument(metavar="PROTOCOL", help="The rule, such as aitw or motif.")],
    file: Annotated[str, typer.Argument(metavar="FILE", help="JSON Lines, one record a line; - reads stdin.")],
    set: SetOption = None,
    details: Annotated[
        Path | None, typer.Option(metavar="OUT.jsonl", help="Write each record's own scores, one line a record.")
    ] = None,
    bootstrap: Annotated[
        int, typer.Option(metavar="N", min=0, help="Draws for 95 % intervals, whole episodes or tasks at once.")
    ] = 0,
    seed: Annotated[int, typer.Option(metavar="S", min=0, help="Seed of these draws.")] = 0,
    json: JsonFlag = False,
) -> int:
    from core.scoring.options import parse_assignments
    from core.scoring.registry import result_json

    settings = parse_assignments(set or ())
    if details is not None:
        _check_details(details, file)
    info, options, result = _scored(protocol, file, settings, bootstrap, seed)
    if details is not None:
        write_file(details, json_lines(dict(row) for row in result.details))
        tell(f"One line for each of {len(result.details)} records is in {details}.")
    form = result_json(info, options, result, bootstrap=bootstrap)
    if json:
        print_json(form)
    else:
        _show(form)
    return 0


def _scored(
    protocol: str, file: str, settings: dict[str, str], bootstrap: int, seed: int
) -> tuple[ProtocolInfo, Options, RecordResult]:
    """The scored records; every error names the file, or stdin, and the line."""
    from core.scoring.options import parse_options
    from core.scoring.records import parse_records
    from core.scoring.registry import record_scorer, score_file

    if file != STDIN:
        return score_file(protocol, Path(file), settings, bootstrap=bootstrap, seed=seed)
    scorer = record_scorer(protocol)
    options = parse_options(scorer.info, settings)
    try:
        records = parse_records(sys.stdin.buffer, "stdin")
        return scorer.info, options, scorer.score_records(records, options, bootstrap=bootstrap, seed=seed)
    except UserError as error:
        if error.record and not error.place:
            raise UserError(error.message, place="stdin", record=error.record, hint=error.hint) from error
        raise


def _check_details(details: Path, file: str) -> None:
    """The details must not take the place of what they are about."""
    check_output(details)
    if file != STDIN and details.exists() and Path(file).exists() and details.samefile(file):
        raise UsageError("the details would overwrite the records.", place=details, hint="Name another file.")


def _show(form: dict[str, Any]) -> None:
    options = " ".join(f"{name}={value}" for name, value in form["options"].items())
    say(f"{form['protocol']} {options}".rstrip())
    say(f"n {form['n']}, unscored {form['unscored']}, malformed {form['malformed']}", "")
    intervals = form.get("ci")
    rows = []
    for name, value in form["metrics"].items():
        low, high = (intervals or {}).get(name, (None, None))
        rows.append([name, value, *((low, high) if intervals is not None else ())])
    columns = ["metric", "value", *(["low", "high"] if intervals is not None else [])]
    table(columns, rows, numbers=["value", "low", "high"])
