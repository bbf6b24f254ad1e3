"""Apps, goals and pairs of a campaign as CSV: read with clear words about every line that cannot be taken, and written.

Apps: `app` (the package), `title`, `category`. Goals: `app` (package or title), `goal`, and `author` if known. Columns
stand in any order; others are left aside. Written tables are for spreadsheets and are read back as they were
(`core.spreadsheet`).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TypeVar

from stepscope.app.services.campaigns.assigning import progress
from stepscope.app.services.campaigns.verdicts import labels_of, verdict
from stepscope.app.services.export.whole_files import utf8
from stepscope.core.domain.campaign import (
    MAX_GOAL,
    AppEntry,
    CampaignContents,
    CampaignGoal,
    checked_name,
    tidy,
    titles,
)
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.sources.csv_table import check_columns
from stepscope.core.sources.files import bound_cells, check_size
from stepscope.core.sources.predictions import LineProblem
from stepscope.core.spreadsheet import Cell, plain_cell, write_rows

APP_COLUMNS, GOAL_COLUMNS = ("app", "title", "category"), ("app", "goal", "author")
PAIR_COLUMNS = (
    "app", "goal", "written_for", "origin", "cluster", "done", "open", "skipped", "feasible", "infeasible", "majority",
    "reason", "agreement",
)  # fmt: skip
_NAMES = {"app": ("app", "package"), "title": ("title", "name"), "goal": ("goal", "task", "command")}
"""Words by which a column may go."""
_HINT = "Apps have the columns app, title, category; goals have app, goal and perhaps author."

Found = TypeVar("Found", AppEntry, CampaignGoal)


@dataclass(frozen=True, slots=True)
class CampaignFile:
    """The content of a file, and the lines that were kept out."""

    contents: CampaignContents
    problems: tuple[LineProblem, ...]


def read_file(path: Path, known: CampaignContents, author: str = "") -> CampaignFile:
    """Apps or goals, as the columns say. `known` is what the campaign has: a goal needs its app there; `author` wrote
    goals that name none. Raises UserError for a file that cannot be read or has neither."""
    try:
        check_size(path, path.stat().st_size)
        text = path.read_text("utf-8-sig")
        for delimiter in ",;\t":
            check_columns(text, delimiter, path)
    except UnicodeDecodeError as error:
        raise UserError("is not UTF-8 text.", place=path, hint="Save it as CSV in UTF-8.") from error
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UserError(f"cannot be read: {reason}.", place=path, hint="Choose another file.") from error
    try:
        return _parsed(text, known, author)
    except UserError as error:
        raise UserError(error.message, place=path, record=error.record, hint=error.hint) from error


def goals_of_text(text: str, app: str, known: CampaignContents, author: str) -> CampaignFile:
    """Goals that were pasted, one a line, all for one app."""
    lines = ((number, {"app": app, "goal": line}) for number, line in enumerate(text.splitlines(), start=1))
    return _goals((line for line in lines if line[1]["goal"].strip()), known, author)


def apps_of_text(text: str, known: CampaignContents) -> CampaignFile:
    """Apps that were pasted: package, title, category a line, between commas or tabs; the last two may be left out."""
    delimiter = "\t" if "\t" in text else ","
    bound_cells()
    rows = csv.reader(io.StringIO(text), delimiter=delimiter, skipinitialspace=True)
    cells = ((rows.line_num, dict(zip(APP_COLUMNS, row, strict=False))) for row in rows if any(map(str.strip, row)))
    return _apps(cells, known)


def _parsed(text: str, known: CampaignContents, author: str) -> CampaignFile:
    bound_cells()
    try:
        rows = csv.DictReader(io.StringIO(text, newline=""), dialect=_dialect(text), strict=True)
        columns = {tidy(name).lower(): name for name in rows.fieldnames or ()}
        kind = GOAL_COLUMNS if _column("goal", columns) else APP_COLUMNS
        if not _column("app", columns) or (kind is APP_COLUMNS and not _column("title", columns)):
            raise UserError("has neither apps nor goals of a campaign.", hint=_HINT)
        places = {name: _column(name, columns) for name in kind}
        lines = [
            (rows.line_num, {name: plain_cell(row.get(place) or "") for name, place in places.items() if place})
            for row in rows
        ]
    except csv.Error as error:
        raise UserError(f"is no CSV: {error}.", hint="Quotes must be closed.") from error
    return _goals(lines, known, author) if kind is GOAL_COLUMNS else _apps(lines, known)


def _dialect(text: str) -> type[csv.Dialect]:
    """Commas, or what spreadsheets of some countries write in their place."""
    head = text.partition("\n")[0]
    found: type[csv.Dialect] = csv.excel_tab if "\t" in head else csv.excel
    if ";" in head and "," not in head:

        class Semicolons(csv.excel):
            delimiter = ";"

        found = Semicolons
    return found


def _column(name: str, columns: Mapping[str, str]) -> str | None:
    return next((columns[word] for word in _NAMES.get(name, (name,)) if word in columns), None)


Lines = Iterable[tuple[int, Mapping[str, str]]]


def _apps(lines: Lines, known: CampaignContents) -> CampaignFile:
    def app(cells: Mapping[str, str]) -> AppEntry:
        package = checked_name(cells.get("app", ""), "the app")
        title = tidy(cells.get("title", "")) or package
        return AppEntry(package, checked_name(title, "the title"), tidy(cells.get("category", "")))

    found, problems = _each(lines, app, {app.key: app for app in known.apps})
    return CampaignFile(CampaignContents(apps=tuple(found)), tuple(problems))


def _goals(lines: Lines, known: CampaignContents, author: str) -> CampaignFile:
    packages = {app.package for app in known.apps}
    by_title: dict[str, list[str]] = {}
    for app in known.apps:
        by_title.setdefault(app.title.casefold(), []).append(app.package)

    def goal(cells: Mapping[str, str]) -> CampaignGoal:
        name = checked_name(cells.get("app", ""), "the app")
        there = [name] if name in packages else by_title.get(name.casefold(), [])
        if len(there) != 1:
            what = f"{len(there)} apps are called" if there else "the campaign has no app"
            raise ValueError(f"{what} “{name}”")
        text = checked_name(cells.get("goal", ""), "the goal", MAX_GOAL)
        return CampaignGoal(there[0], text, tidy(cells.get("author", "")) or author)

    found, problems = _each(lines, goal, {goal.key: goal for goal in known.goals})
    return CampaignFile(CampaignContents(goals=tuple(found)), tuple(problems))


def _each(
    lines: Lines, make: Callable[[Mapping[str, str]], Found], known: Mapping[object, Found]
) -> tuple[list[Found], list[LineProblem]]:
    """The values of good lines that are not known yet; a line that says what is known already is no trouble."""
    found: dict[object, tuple[int, Found]] = {}
    problems = []
    for number, cells in lines:
        try:
            one = make(cells)
            earlier, same = found.get(one.key, (number, one))
            if same != one:
                raise ValueError(
                    f"line {earlier} says otherwise of the same {'app' if isinstance(one, AppEntry) else 'goal'}"
                )
        except ValueError as error:
            problems.append(LineProblem(number, f"{error}."))
            continue
        found.setdefault(one.key, (number, one))
    return [one for _, one in found.values() if known.get(one.key) != one], problems


# Writing --------------------------------------------------------------------------------------------------------------


def write_apps(contents: CampaignContents, stream: IO[bytes]) -> None:
    _write(stream, APP_COLUMNS, ((app.package, app.title, app.category) for app in contents.apps))


def write_goals(contents: CampaignContents, stream: IO[bytes]) -> None:
    _write(stream, GOAL_COLUMNS, ((goal.app, goal.text, goal.author) for goal in contents.goals))


def write_pairs(contents: CampaignContents, stream: IO[bytes]) -> None:
    """Every pair with how far it is and what was said of it; `majority` is "tie" where there is none."""
    _write(stream, PAIR_COLUMNS, _pair_rows(contents))


def _pair_rows(contents: CampaignContents) -> Iterator[Sequence[Cell]]:
    said, named = labels_of(contents), titles(contents.apps)
    for one in progress(contents):
        pair, told = one.pair, verdict(said[one.pair.key])
        yield (
            pair.app, pair.goal.text, named.get(pair.goal.app, pair.goal.app), pair.origin.value,
            "" if pair.cluster is None else pair.cluster, one.done, one.open, one.skipped, told.feasible,
            told.infeasible, "tie" if told.tied else told.label or "", told.reason or "",
            "" if told.share is None else round(told.share, 4),
        )  # fmt: skip


def _write(stream: IO[bytes], columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    with utf8(stream) as text:
        write_rows(text, [columns])
        write_rows(text, rows)
