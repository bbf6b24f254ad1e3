"""`stepscope ambiguous list|show|review|agreement|statistics`: what was made, and what people say of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import DataPath, JsonFlag, StoreOption
from stepscope.app.cli.output import number_of, print_json, say, table, tell, write_file
from stepscope.app.cli.statuses import DONE
from stepscope.app.cli.stores import opened
from stepscope.core.domain.ambiguous_task import AskReview, PieceEdit, ReviewVerdict
from stepscope.core.domain.goal_words import PartState, goal_parts
from stepscope.core.errors import UsageError
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.services import ambiguous_reviews
    from stepscope.app.services.ambiguous_reviews import ListedTask
    from stepscope.core.domain import ambiguous_json
    from stepscope.core.evaluation import ambiguous_statistics
    from stepscope.core.evaluation.ambiguous_statistics import AmbiguousStatistics
    from stepscope.core.store.engine import Database
else:
    ambiguous_reviews = lazy_module("stepscope.app.services.ambiguous_reviews")
    ambiguous_json = lazy_module("stepscope.core.domain.ambiguous_json")
    ambiguous_statistics = lazy_module("stepscope.core.evaluation.ambiguous_statistics")

MadeBy = Annotated[str | None, typer.Option("--made-by", metavar="NAME", help="Only tasks of this maker.")]
_MARKS = {PartState.KEPT: "{}", PartState.REMOVED: "[-{}-]", PartState.ADDED: "[+{}+]"}
"""How words that are gone, and words that came, stand in a line of text."""


def list_tasks(path: DataPath, made_by: MadeBy = None, store: StoreOption = None, json: JsonFlag = False) -> int:
    """Gives 0."""
    with opened(store) as database:
        listed = _listed(database, path, made_by)
    if json:
        print_json([_form(one) for one in listed])
        return DONE
    columns = ("id", "episode", "made by", "left out", "goal", "standing", "checks")
    rows = [
        [one.task.id, one.task.slot.episode, one.task.slot.made_by, one.task.slot.removed, one.settled.goal,
         one.standing.value, len(one.checks) or ""]
        for one in listed
    ]  # fmt: skip
    table(columns, rows, numbers=("left out", "checks"))
    return DONE


def show_tasks(
    path: DataPath,
    episode: Annotated[str, typer.Argument(metavar="EPISODE|ID", help="An episode's id, or a task's.")],
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Gives 0."""
    known_as = str(path.resolve())
    with opened(store) as database:
        found = ambiguous_reviews.listed_tasks(database, known_as, episode=episode)
        found = found or [ambiguous_reviews.task_named(database, known_as, episode)]
    if json:
        print_json([_form(one) for one in found])
        return DONE
    for place, one in enumerate(found):
        _show(one, first=not place)
    return DONE


def review_task(
    path: DataPath,
    reviewer: Annotated[str, typer.Option("--reviewer", metavar="NAME", help="Whose review it is.")],
    accept: Annotated[str | None, typer.Option("--accept", metavar="ID", help="Let the task stand.")] = None,
    reject: Annotated[str | None, typer.Option("--reject", metavar="ID", help="Do not let it stand.")] = None,
    edit: Annotated[str | None, typer.Option("--edit", metavar="ID", help="Let it stand in other words.")] = None,
    undo: Annotated[str | None, typer.Option("--undo", metavar="ID", help="Take one's own review back.")] = None,
    goal: Annotated[str | None, typer.Option("--goal", metavar="TEXT", help="With --edit: the goal.")] = None,
    question: Annotated[
        list[str] | None, typer.Option("--question", metavar="[STEP:]TEXT", help="With --edit: the question.")
    ] = None,
    answer: Annotated[
        list[str] | None, typer.Option("--answer", metavar="[STEP:]TEXT", help="With --edit: the answer.")
    ] = None,
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="Why, in one's own words.")] = "",
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Gives 0."""
    given = [(kind, id) for kind, id in zip(_KINDS, (accept, reject, edit, undo), strict=True) if id is not None]
    if len(given) != 1:
        raise UsageError("a review does one thing.", hint="Give one of --accept, --reject, --edit and --undo.")
    kind, id = given[0]
    if kind != "edit" and (goal or question or answer):
        raise UsageError("--goal, --question and --answer go with --edit.", hint="Give --edit ID, or leave them out.")
    with opened(store) as database:
        known_as = str(path.resolve())
        found = ambiguous_reviews.task_named(database, known_as, id)
        who = ambiguous_reviews.reviewer_named(reviewer)
        if kind == "edit":
            said = ambiguous_reviews.edit_by(found.task, who, goal, _edits(found, question or [], answer or []))
            after: tuple[AskReview, ...] = (said,)
        elif kind == "undo":
            after = ()
        else:
            verdict = ReviewVerdict.ACCEPTED if kind == "accept" else ReviewVerdict.REJECTED
            after = (ambiguous_reviews.verdict_of(found.task, who, verdict, note),)
        mine = tuple(one for one in found.reviews if one.reviewer == who)
        if kind == "undo" and not mine:
            raise UsageError(f"{who} has not reviewed {found.task.id}.", hint="Check name and id.")
        ambiguous_reviews.review(database, ambiguous_reviews.ReviewChange(mine, after))
        now = ambiguous_reviews.task_named(database, known_as, found.task.id)
    for check in now.checks:
        tell(f"stepscope: warning: {check}")
    if json:
        print_json(_form(now))
    else:
        say(f"{now.task.id}: {now.standing.value}, {number_of(len(now.reviews), 'reviews')}")
    return DONE


_KINDS = ("accept", "reject", "edit", "undo")


def show_agreement(path: DataPath, made_by: MadeBy = None, store: StoreOption = None, json: JsonFlag = False) -> int:
    """Gives 0."""
    with opened(store) as database:
        listed = _listed(database, path, made_by)
    count, found = ambiguous_reviews.agreement(listed)
    standings: dict[str, int] = {}
    for one in listed:
        standings[one.standing.value] = standings.get(one.standing.value, 0) + 1
    if json:
        print_json({"tasks": len(listed), "standing": standings, "reviewed_by_several": count, **found._asdict()})
        return DONE
    say(f"{number_of(len(listed), 'tasks')}: " + ", ".join(f"{number} {name}" for name, number in standings.items()))
    if found.kappa is None or found.observed is None:
        say("No task was reviewed by two people.")
        return DONE
    say(
        f"{number_of(count, 'tasks')} reviewed by several: Cohen's kappa {found.kappa:.3f}, the same verdict "
        f"{found.observed:.0%}, over {number_of(found.pairs, 'pairs')} of people"
    )
    return DONE


def show_statistics(
    path: DataPath,
    made_by: MadeBy = None,
    apps: Annotated[bool, typer.Option("--apps", help="Also each app by itself.")] = False,
    figure: Annotated[
        Path | None, typer.Option("--figure", metavar="FILE.svg", help="Also draw them, of one maker.")
    ] = None,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> int:
    """Gives 0. Raises UsageError where nothing was made."""
    with opened(store) as database:
        found = ambiguous_reviews.statistics_of(database, str(path.resolve()))
    found = {name: one for name, one in found.items() if made_by in (None, name)}
    if not found:
        raise _nothing(path)
    if figure is not None:
        _draw(found, figure)
    if json:
        print_json({name: ambiguous_statistics.statistics_json(one) for name, one in found.items()})
        return DONE
    for name, one in found.items():
        say(f"{name}: {number_of(one.episodes, 'episodes')}")
        _show_statistics(one)
        if apps:
            _show_apps(one.by_app)
    return DONE


# Inside --------------------------------------------------------------------------------------------------------------


def _listed(database: Database, path: Path, made_by: str | None) -> list[ListedTask]:
    found = ambiguous_reviews.listed_tasks(database, str(path.resolve()), made_by=made_by)
    if not found:
        raise _nothing(path)
    return found


def _nothing(path: Path) -> UsageError:
    if not path.exists():
        return UsageError("There is nothing at this place.", place=path, hint="Check the spelling, or choose another.")
    return UsageError("no task was made of this data.", place=path, hint="Make some: stepscope ambiguous make PATH.")


def _form(one: ListedTask) -> dict[str, Any]:
    form = ambiguous_json.ambiguous_task_to_json(one.task)
    return form | {
        "standing": one.standing.value,
        "checks": list(one.checks),
        "reworded": list(one.reworded),
        "settled": {
            "ambiguous_task": one.settled.goal,
            "asks": [{"step": ask.step, "question": ask.question, "answer": ask.answer} for ask in one.settled.asks],
        },
        "reviews": [ambiguous_json.ask_review_to_json(review) for review in one.reviews],
    }


def _show(one: ListedTask, *, first: bool) -> None:
    task, slot = one.task, one.task.slot
    steps = {reading.index: reading.instruction for reading in task.readings}
    say(*([] if first else [""]), f"{task.id}  {slot.episode}, {slot.removed} left out by {slot.made_by}")
    parts = goal_parts(task.original, one.settled.goal)
    say(f"Goal: {''.join(_MARKS[part.state].format(part.text) for part in parts)}")
    for piece in sorted(one.settled.pieces, key=lambda piece: piece.step):
        say(
            f"Step {piece.step}: {steps.get(piece.step, '')}",
            f"  missing ({piece.kind.value}): {piece.value}",
            f"  Q: {piece.question}",
            f"  A: {piece.answer}",
        )
    say(f"Standing: {one.standing.value}")
    for check in one.checks:
        say(f"Check: {check}")
    if one.reworded:
        say(f"Also gone: {', '.join(one.reworded)}")
    for review in one.reviews:
        say(f"{review.reviewer}: {review.verdict.value}{f' ({review.note})' if review.note else ''}")


def _edits(found: ListedTask, questions: Sequence[str], answers: Sequence[str]) -> list[PieceEdit]:
    """The questions and answers by step; without a step, of a task that leaves out one."""
    pieces = {piece.step: piece for piece in found.settled.pieces}
    words: list[dict[int, str]] = []
    for given in (questions, answers):
        told: dict[int, str] = {}
        for text in given:
            head, colon, rest = text.partition(":")
            numbered = bool(colon) and head.strip().isdecimal() and len(head) < 10 and int(head) in pieces
            if not numbered and len(pieces) != 1:
                steps = ", ".join(map(str, pieces))
                raise UsageError("say of which step that is.", hint=f"Write STEP:TEXT; the steps are {steps}.")
            told[int(head) if numbered else next(iter(pieces))] = rest.strip() if numbered else text.strip()
        words.append(told)
    return [
        PieceEdit(step, words[0].get(step, piece.question), words[1].get(step, piece.answer))
        for step, piece in pieces.items()
    ]


def _draw(found: Mapping[str, AmbiguousStatistics], file: Path) -> None:
    from stepscope.core.evaluation.ambiguous_plots import statistics_svg

    if len(found) > 1:
        raise UsageError("several made tasks of this data.", hint=f"Name one with --made-by: {', '.join(found)}.")
    ((name, one),) = found.items()
    write_file(file, lambda stream: stream.write(statistics_svg(one, f"Ambiguous tasks by {name}").encode()))


def _show_statistics(one: AmbiguousStatistics) -> None:
    numbers = sorted(one.lengths.keys() | one.informative.keys())
    rows = [[number, one.lengths.get(number, 0), one.informative.get(number, 0)] for number in numbers]
    table(("steps", "tasks", "tasks with so many informative"), rows, numbers=("steps", "tasks"))
    if one.mean_length is not None and one.mean_informative is not None:
        say(f"Mean: {one.mean_length:.2f} steps, {one.mean_informative:.2f} informative")
    for enough in one.enough:
        share = f"{enough.share:.1%}" if enough.share is not None else ""
        say(f"{enough.removed} left out: {enough.enough} of {enough.tasks} tasks have enough steps ({share})")
    for title, counts in (("Left out", one.kinds), ("Checks that fail", one.failing)):
        if counts:
            say(f"{title}: {', '.join(f'{name} {number}' for name, number in counts.items())}")


def _show_apps(apps: Mapping[str, AmbiguousStatistics]) -> None:
    rows = [
        [app or "no app", one.episodes, f"{one.mean_length or 0:.2f}", f"{one.mean_informative or 0:.2f}",
         *(", ".join(f"{enough.removed}: {enough.share or 0:.0%}" for enough in one.enough),)]
        for app, one in apps.items()
    ]  # fmt: skip
    columns = ("app", "episodes", "mean steps", "mean informative", "enough")
    table(columns, rows, numbers=columns[1:4])
