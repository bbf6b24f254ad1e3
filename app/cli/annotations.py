"""`stepscope annotate` and `stepscope annotations`: what people say about data, kept in the store beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import AsOption, DataPath, FormatOption, JsonFlag, StoreOption
from stepscope.app.cli.evaluate import read_index
from stepscope.app.cli.output import check_output, json_lines, number_of, print_json, say, table, tell, write_file
from stepscope.app.cli.statuses import DONE, SOME_FAILED
from stepscope.app.cli.stores import opened
from stepscope.core.domain.annotation import (
    Annotation,
    AnnotationKind,
    annotation_to_json,
    checked_value,
    label_of,
    label_value,
)
from stepscope.core.domain.changed_words import changed_words
from stepscope.core.domain.episode import LAST_STEP, Feasibility, FeasibilityLabel, InfeasibilityReason
from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken

if TYPE_CHECKING:
    from stepscope.app.services import annotations as annotation_service
    from stepscope.app.services.annotations import AnnotationChange, AnnotationImport
    from stepscope.app.services.library import IndexProgress
    from stepscope.core.store.engine import Database
else:
    annotation_service = lazy_module("stepscope.app.services.annotations")

_COLUMNS = ("episode", "step", "kind", "value", "author", "made")
_PROBLEMS_SHOWN = 20


def annotate(
    path: DataPath,
    id: Annotated[str, typer.Argument(metavar="EPISODE", help="The episode's id.")],
    step: Annotated[
        int | None, typer.Option("--step", metavar="N", min=0, max=LAST_STEP, help="About this step, from 0.")
    ] = None,
    star: Annotated[bool | None, typer.Option("--star/--unstar", help="Star it, or take the star away.")] = None,
    checked: Annotated[bool | None, typer.Option("--checked/--unchecked", help="Somebody looked at it.")] = None,
    note: Annotated[str | None, typer.Option("--note", metavar="TEXT", help="A note in place of the old one.")] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", metavar="T", help="A tag; may be repeated.")] = None,
    defect: Annotated[
        list[str] | None,
        typer.Option(
            "--defect",
            metavar="REASON",
            help="wrong reference, wrong picture, several right answers or ambiguous direction; may be repeated.",
        ),
    ] = None,
    label: Annotated[
        FeasibilityLabel | None, typer.Option("--label", help="Whether the episode's goal can be reached.")
    ] = None,
    reason: Annotated[
        InfeasibilityReason | None, typer.Option("--reason", help="Why it cannot; goes with --label infeasible.")
    ] = None,
    follow_up: Annotated[
        list[str] | None,
        typer.Option("--follow-up", metavar="QUESTION", help="What to ask first; goes with --label, may be repeated."),
    ] = None,
    remove: Annotated[
        list[str] | None,
        typer.Option("--remove", metavar="KIND[=VALUE]", help="Take back, before anything is added; may be repeated."),
    ] = None,
    author: Annotated[
        str | None,
        typer.Option(
            "--author", metavar="NAME", help="Who says so [default: the name in Preferences, else the system's user]."
        ),
    ] = None,
    format: FormatOption = None,
    view: AsOption = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Prints what changed at the episode or step; gives 0. Raises UsageError where nothing was said, or what does not
    fit."""
    asked = Feasibility(label, reason, tuple(follow_up or ())) if label or reason or follow_up else None
    said = [
        *((AnnotationKind.TAG, value) for value in tag or ()),
        *((AnnotationKind.DEFECT, value) for value in defect or ()),
        *(((AnnotationKind.NOTE, note),) if note is not None else ()),
        *(((AnnotationKind.LABEL, _label(asked)),) if asked is not None else ()),
    ]
    gone = [_removal(word) for word in remove or ()]
    for kind, wanted in ((AnnotationKind.STAR, star), (AnnotationKind.CHECKED, checked)):
        if wanted is not None:
            (said if wanted else gone).append((kind, ""))
    if not said and not gone:
        raise UsageError("nothing was said.", hint="Give --star, --checked, --note, --tag, --defect or --label.")
    values = [(kind, _checked(kind, value, step)) for kind, value in said]
    with opened(store) as database:
        source, indexed = _indexed(database, path, format, view)
        place = _AnnotationPlace(source, id, step)
        found = _made(database, indexed, place, values, gone, author)
        now = _said_at(database, place)
    return _show_change(place, found, now, json)


def listing(
    path: DataPath,
    kind: Annotated[AnnotationKind | None, typer.Option("--kind", help="Only this kind.")] = None,
    csv: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write them as CSV.")] = None,
    export: Annotated[
        Path | None, typer.Option("--export", metavar="FILE", help="Write them as JSON Lines that --import reads.")
    ] = None,
    take: Annotated[
        Path | None, typer.Option("--import", metavar="FILE", help="Take over annotations from JSON Lines.")
    ] = None,
    author: Annotated[
        str | None,
        typer.Option("--author", metavar="NAME", help="Whose imported lines without an author are."),
    ] = None,
    format: FormatOption = None,
    view: AsOption = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Prints the annotations, or writes or imports a file of them; gives 0, or 1 where lines of an import are left out.
    Raises UsageError."""
    _check_asked(kind, csv, export, take)
    if take is not None:
        with opened(store) as database:
            return _import(database, path, take, author, format, view, json)
    output = csv or export
    if output is not None:
        check_output(output)
    with opened(store) as database:
        found = annotation_service.listed(database, _known_as(path, view), kind)
    if not found and not path.exists():
        raise UsageError("There is nothing at this place.", place=path, hint="Check the spelling, or choose another.")
    if output is not None:
        write_file(
            output,
            json_lines(annotation_service.lines(found))
            if export
            else lambda stream: annotation_service.write_csv(found, stream),
        )
        return _told_written(output, found, json)
    if json:
        print_json(
            {"source": _known_as(path, view), "counts": _counts(found), "annotations": annotation_service.lines(found)}
        )
    elif found:
        _show(found)
    else:
        say(
            f"Nothing was said about this data{f' as {kind}' if kind else ''} yet: 'stepscope annotate' says something."
        )
    return DONE


@dataclass(frozen=True, slots=True)
class _AnnotationPlace:
    source: str
    episode: str
    step: int | None


def _removal(word: str) -> tuple[AnnotationKind, str]:
    """`KIND` or `KIND=VALUE` of --remove; "" stands for any value."""
    name, _, value = word.partition("=")
    try:
        kind = AnnotationKind(name.strip().lower())
    except ValueError:
        hint = f"Kinds: {', '.join(AnnotationKind)}."
        raise UsageError(f"--remove {word!r} names no kind of annotation.", hint=hint) from None
    if value and not kind.several:
        raise UsageError(f"there is one {kind} at a place at most.", hint=f"Give --remove {kind}, without a value.")
    return kind, _checked(kind, value, None) if value else ""


def _label(asked: Feasibility) -> str:
    """The value of a label that says something which fits together."""
    if asked.label is None:
        raise UsageError("--reason and --follow-up go with --label.", hint="Give --label infeasible too.")
    value = label_value(asked)
    try:
        label_of(value)
    except ValueError as error:
        raise UsageError(f"{error}.", hint="Give --label infeasible, or leave --reason out.") from None
    return value


def _checked(kind: AnnotationKind, value: str, step: int | None) -> str:
    try:
        return checked_value(kind, value, step)
    except ValueError as error:
        hint = "Take it back with --remove note." if kind is AnnotationKind.NOTE else "See 'stepscope annotate --help'."
        raise UsageError(f"{error}.", hint=hint) from None


def _check_asked(kind: AnnotationKind | None, csv: Path | None, export: Path | None, take: Path | None) -> None:
    if sum(file is not None for file in (csv, export, take)) > 1:
        raise UsageError("--csv, --export and --import do not go together.", hint="Give one of them.")
    if take is not None and kind is not None:
        raise UsageError("--kind does not go with --import.", hint="Leave it out: all lines are taken over.")


def _indexed(database: Database, path: Path, format: str | None, view: str | None) -> tuple[str, IndexProgress]:
    """What the store calls the data at `path`, and the data with its whole index."""
    known_as = _known_as(path, view)
    indexed = read_index(database, path, format, CancelToken(), as_procedures=view == "procedures")
    assert indexed is not None  # nobody cancels
    return known_as, indexed


def _known_as(path: Path, view: str | None) -> str:
    from stepscope.app.services.provenance import PROCEDURES

    if view not in (None, "episodes", "procedures"):
        raise UsageError(f"nothing can be opened as {view!r}.", hint="Give --as procedures, or leave it out.")
    return f"{path.resolve()}{PROCEDURES if view == 'procedures' else ''}"


def _made(
    database: Database,
    indexed: IndexProgress,
    place: _AnnotationPlace,
    said: Sequence[tuple[AnnotationKind, str]],
    gone: Sequence[tuple[AnnotationKind, str]],
    author: str | None,
) -> AnnotationChange:
    """Make the change in one go. Raises UsageError for a place that is not in the data."""
    annotation_service.AnnotationTargets(database, indexed.source_id, indexed.source).check(place.episode, place.step)
    now, seen = datetime.now(UTC), _said_at(database, place)
    by = annotation_service.user_name() if author is None else author
    before = [one for one in seen if (one.kind, "") in gone or (one.kind, one.value) in gone]
    after = [Annotation(place.source, place.episode, place.step, kind, value, by, now) for kind, value in said]
    return annotation_service.make(
        database, annotation_service.AnnotationChange(tuple(before), tuple(after)), seen=seen
    )


def _said_at(database: Database, place: _AnnotationPlace) -> list[Annotation]:
    from stepscope.core.store.repositories import annotations as rows

    with database.reading() as db:
        return [one for one in rows.of_episode(db, place.source, place.episode) if one.step == place.step]


def _show_change(place: _AnnotationPlace, change: AnnotationChange, now: list[Annotation], json: bool) -> int:
    if json:
        form: dict[str, Any] = {"source": place.source, "episode": place.episode, "step": place.step}
        form["before"] = [annotation_to_json(one) for one in change.before]
        print_json({**form, "annotations": [annotation_to_json(one) for one in now]})
        return DONE
    mine = {one.slot: one for one in change.after}
    for one in change.before:
        if (new := mine.get(one.slot)) is not None and new.author != one.author:
            said = f" {new.value!r}" if new.value else ""
            tell(f"stepscope: {new.kind}{said} takes the place of what was there: {changed_words(None, one)}")
    if now:
        _show(now)
    else:
        where = place.episode if place.step is None else f"step {place.step} of {place.episode}"
        say(f"Nothing is said about {where} any more.")
    return DONE


def _import(
    database: Database, path: Path, file: Path, author: str | None, format: str | None, view: str | None, json: bool
) -> int:
    source, indexed = _indexed(database, path, format, view)
    places = annotation_service.AnnotationTargets(database, indexed.source_id, indexed.source)
    found = annotation_service.import_annotations(
        database, source, places, file, annotation_service.user_name() if author is None else author
    )
    for problem in found.problems[:_PROBLEMS_SHOWN]:
        tell(f"stepscope: warning: {file}:{problem.line}: {problem.message}")
    if len(found.problems) > _PROBLEMS_SHOWN:
        tell(f"stepscope: warning: … and {len(found.problems) - _PROBLEMS_SHOWN} more lines were kept out.")
    _told_imported(found, source, json)
    return SOME_FAILED if found.problems else DONE


def _told_imported(found: AnnotationImport, source: str, json: bool) -> None:
    taken, replaced = len(found.change.after), len(found.change.before)
    if json:
        bad = [{"line": problem.line, "message": problem.message} for problem in found.problems]
        print_json({"source": source, "imported": taken, "replaced": replaced, "bad_lines": bad})
    else:
        kept_out = f", {number_of(len(found.problems), 'lines')} kept out" if found.problems else ""
        say(f"{number_of(taken, 'annotations')} taken over, {replaced} of them in place of others{kept_out}.")


def _told_written(output: Path, found: list[Annotation], json: bool) -> int:
    if json:
        print_json({"file": str(output), "written": len(found)})
    else:
        say(str(output))
        tell(f"stepscope: {number_of(len(found), 'annotations')}")
    return DONE


def _counts(found: Iterable[Annotation]) -> dict[str, int]:
    kinds = [one.kind for one in found]
    return {kind.value: kinds.count(kind) for kind in AnnotationKind}


def _show(found: Iterable[Annotation]) -> None:
    rows = [[one.episode, one.step, one.kind, _words(one), one.author, f"{one.made:%Y-%m-%d %H:%M}"] for one in found]
    table(_COLUMNS, rows, numbers=["step"])


def _words(annotation: Annotation) -> str:
    """The value for a reader."""
    if annotation.kind is not AnnotationKind.LABEL:
        return annotation.value
    label = label_of(annotation.value)
    reason = f" ({label.reason.value})" if label.reason else ""
    return f"{label.label.value if label.label else ''}{reason}{''.join(f' {asked}' for asked in label.follow_up)}"
