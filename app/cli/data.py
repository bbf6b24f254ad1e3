"""`stepscope inspect`: what is at a path.

Damaged parts of a data set are what `inspect` reports, not a failure of it: it ends with 0 when it could look.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import AsOption, DataPath, FilterOption, FormatOption, JsonFlag
from stepscope.app.cli.episode_lists import check_list, write_list
from stepscope.app.cli.output import number_of, print_json, say, table, tell
from stepscope.app.cli.progress import counting
from stepscope.app.cli.statuses import DONE, SOME_FAILED
from stepscope.app.services.nearest import nearest_hint
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module
from stepscope.core.regular_files import is_there

if TYPE_CHECKING:
    from stepscope.core.domain import episode
    from stepscope.core.domain import filter as filters
    from stepscope.core.domain.episode import Episode, EpisodeSummary, Problem
    from stepscope.core.domain.filter import Query
    from stepscope.core.sources import folders, mixed_folder, registry
    from stepscope.core.sources.source import Source
else:
    episode = lazy_module("stepscope.core.domain.episode")
    filters = lazy_module("stepscope.core.domain.filter")
    folders = lazy_module("stepscope.core.sources.folders")
    mixed_folder = lazy_module("stepscope.core.sources.mixed_folder")
    registry = lazy_module("stepscope.core.sources.registry")

_PROBLEMS_SHOWN = 20


def inspect(
    path: DataPath,
    format: FormatOption = None,
    filter: FilterOption = None,
    json: JsonFlag = False,
    episodes: Annotated[bool, typer.Option("--episodes", help="List the episodes' ids too.")] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="Read outlines only: problems inside episodes are not found.")
    ] = False,
    view: AsOption = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Write the episodes to a .csv or .jsonl file, one a row."),
    ] = None,
) -> int:
    """Prints what is there; gives 0 with problems in the data too, and 1 where all of it went meanwhile. Raises
    UsageError where nothing of the named format is, or for a bad filter."""
    from stepscope.core.domain.filter_parser import parse

    query = parse(filter) if filter is not None else filters.EVERYTHING
    if output is not None:
        check_list(output)
    if quick:
        _check_outlines_do(query)
    source = opened_as(path, format, view)
    entries: list[EpisodeSummary | Problem] = []
    with counting("Reading", "episodes") as count:
        for entry in source.scan() if quick else whole_rows(source):
            entries.append(entry)
            count(len(entries))
    if format is not None and not entries:
        hint = "Leave --format out, or name the one that it has."
        raise UsageError(f"nothing of the format {format} is here.", place=path, hint=hint)
    if filter is not None:
        entries = passing_episodes(source, entries, query)
    if output is not None:
        write_list(output, source, entries, query, filter or "")
    report = inspection(path, source.format, entries)
    if episodes:
        report["ids"] = [entry.id for entry in entries if isinstance(entry, episode.EpisodeSummary)]
    if json:
        print_json(report)
    else:
        _show_inspection(report)
    return SOME_FAILED if told_if_gone(path) else DONE


def told_if_gone(path: Path) -> bool:
    """Whether the data went while it was read, which is told: what was found by then may be little of it."""
    gone = not is_there(path)
    if gone:
        tell(f"stepscope: {path}: the data is not there any more; this is what was found by then.")
    return gone


def opened_as(path: Path, format: str | None, view: str | None, known: tuple[str, ...] = ("procedures",)) -> Source:
    """The source, its episodes as procedures when that is asked for; `known` are the words that the command takes."""
    from stepscope.core.sources.procedures import EpisodeProcedureSource

    source = registry.open_source(path, format)
    if view is None or view == "episodes":
        return source
    if view == "procedures":
        return EpisodeProcedureSource(source)
    raise UsageError(f"nothing can be opened as {view!r}.", hint=f"Give --as {' or '.join(known)}, or leave it out.")


def whole_rows(source: Source) -> Iterator[EpisodeSummary | Problem]:
    """The source's rows, each after reading its episode whole."""
    from stepscope.core.sources.reader_process import EpisodePlace, checked

    for entry in source.scan():
        if isinstance(entry, episode.EpisodeSummary) and (not entry.checked or entry.details is None):
            yield checked(source, EpisodePlace(entry.id, entry.place, entry.kind))
        else:
            yield entry


def inspection(path: Path, format: str, entries: Iterable[EpisodeSummary | Problem]) -> dict[str, Any]:
    """The object of `inspect --json`."""
    every: list[EpisodeSummary] = []
    problems: list[Problem] = []
    for entry in entries:
        if isinstance(entry, episode.EpisodeSummary):
            every.append(entry)
            problems += [replace(problem, episode=problem.episode or entry.id) for problem in entry.problems]
        else:
            problems.append(entry)
    rows = [row for row in every if row.kind == "episode"]
    actions: Counter[str] = Counter()
    for row in rows:
        actions.update(dict(row.actions))
    platforms = Counter(row.platform.value for row in every)
    return {
        "path": str(path),
        "format": format,
        "episodes": len(rows),
        "steps": sum(row.steps for row in rows),
        "screens": sum(row.screens for row in rows),
        "actions": dict(actions),
        **_other_kinds(every, registry.format_named(format).kind if format != mixed_folder.MIXED else "episodes"),
        "platform": platforms.most_common(1)[0][0] if every else _platform_of(format),
        "problems": [_problem_json(problem) for problem in problems],
    }


def _other_kinds(rows: list[EpisodeSummary], kind: str) -> dict[str, int]:
    """Counts of what is no episode, where there is some or the format is of that kind."""
    procedures = [row for row in rows if row.kind == "procedure"]
    instances = [row for row in rows if row.kind == "instance"]
    found = {}
    if procedures or kind == "procedures":
        found["procedures"] = len(procedures)
        found["procedure_steps"] = sum(row.steps for row in procedures)
        found["pictures"] = sum(row.screens for row in procedures)
    if instances or kind == "webtasks":
        found["tasks"] = len({row.app for row in instances})
        found["instances"] = len(instances)
    return found


def _platform_of(format: str) -> str:
    """The platform of a source without rows; that of several formats cannot be told."""
    return "text" if format == mixed_folder.MIXED else registry.format_named(format).platform.value


def _problem_json(problem: Problem) -> dict[str, Any]:
    return {
        "episode": problem.episode,
        "step": problem.step,
        "field": problem.field,
        "message": problem.message,
        "file": problem.file,
    }


def _check_outlines_do(query: Query) -> None:
    """Raise FilterError where an outline says nothing about what the filter asks."""
    for term in filters.terms(query):
        if term.field in (*filters.OF_WORDS, "step"):
            message = f"{term.field} is found in episodes that were read whole: leave out --quick."
            raise filters.FilterError(term.position, term.length, message)


def passing_episodes(
    source: Source, entries: list[EpisodeSummary | Problem], query: Query
) -> list[EpisodeSummary | Problem]:
    """The episodes that the filter lets pass, looked up as the window looks them up: in a store, here a passing one."""
    from stepscope.core.store import queries
    from stepscope.core.store.engine import Database
    from stepscope.core.store.repositories import sources

    for term in filters.terms(query):
        if term.field in filters.SAID:
            message = f"{term.field} is no part of the data: 'stepscope annotations' lists what people said about it."
            raise filters.FilterError(term.position, term.length, message)
    with Database.open("sqlite://") as database:
        with database.unit_of_work() as db:
            stored = sources.replace_index(db, source.path, source.format, "", entries)
        with database.reading() as db:
            passing = set(queries.matching(db, stored.id, query))
    return [entry for entry in entries if isinstance(entry, episode.EpisodeSummary) and entry.id in passing]


def _show_inspection(report: dict[str, Any]) -> None:
    named = ("episodes", "steps", "screens", "procedures", "pictures", "tasks", "instances")
    counts = ", ".join(number_of(report[name], name) for name in named if report.get(name) or name == "episodes")
    say(f"{report['path']}: {report['format']} ({report['platform']})", counts)
    if report["actions"]:
        table(["action", "count"], list(report["actions"].items()), numbers=["count"])
    say(*report.get("ids", ()))
    problems = report["problems"]
    if not problems:
        return
    say("", f"{number_of(len(problems), 'problems')}:")
    shown = [[row[name] for name in ("episode", "step", "field", "file", "message")] for row in problems]
    table(["episode", "step", "field", "file", "problem"], shown[:_PROBLEMS_SHOWN])
    if len(problems) > _PROBLEMS_SHOWN:
        say(f"… and {len(problems) - _PROBLEMS_SHOWN} more: --json lists all.")


def read_episode(source: Source, id: str) -> Episode:
    """The episode; UsageError naming the nearest ids when there is none of this id."""
    try:
        return source.read(id)
    except UsageError as error:
        if folders.NO_SUCH_EPISODE not in error.message:
            raise
        known = [entry.id for entry in source.scan() if isinstance(entry, episode.EpisodeSummary)]
        raise UsageError(f"there is no episode {id!r}.", place=source.path, hint=nearest_hint(id, known)) from error


def tell_problems(found: Episode) -> None:
    """What could not be read in the episode, on stderr."""
    for problem in found.problems:
        where = "".join(f":{part}" for part in (problem.step, problem.field) if part not in (None, ""))
        tell(f"stepscope: warning: {found.id}{where}: {problem.message}")
