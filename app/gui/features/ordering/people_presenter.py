"""What several people's orders come to, as the page of people shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace

from stepscope.app.gui.features.ordering.presenter import metric_names, titled
from stepscope.app.services.order_assignments import OrderTask
from stepscope.app.services.order_people import OrderCollection
from stepscope.core.domain.human_order import HelpfulInput
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.order_people import ConditionFigures, OrderFigures, WorkerFigures
from stepscope.core.scoring.paired_tests import Difference
from stepscope.widgets import format as formats
from stepscope.widgets.ordering.ordering_rows import GridCell
from stepscope.widgets.ordering.people_values import Grid, OrderedLine, OrdererLine, OrderPeopleContent

HIDDEN = "You order blind: figures are shown once you Explore."
FLAGS = {"agreement": "low κ", "accuracy": "low accuracy"}
SHOWN = {"text": "Text", "picture": "Picture", "both": "Both"}


@dataclass(frozen=True, slots=True)
class PeopleRead:
    """What was read: assignments, the orders that count, and their figures with all people."""

    tasks: tuple[OrderTask, ...] = ()
    found: OrderCollection = field(default_factory=lambda: OrderCollection((), {}))
    figures: OrderFigures | None = None
    everybody: OrderFigures | None = None
    sample: bool = False


def page_of(read: PeopleRead, *, blind: bool) -> OrderPeopleContent:
    """`blind`: whoever sits here orders blind, and is not to see how others did."""
    said = read.figures
    workers = {one.annotator: one for one in (read.everybody.workers if read.everybody else ())}
    names = sorted({one.assignment.annotator for one in read.tasks} | workers.keys(), key=str.casefold)
    orders = said is not None and said.orders > 0
    content = OrderPeopleContent(
        tuple(_person(name, read.tasks, workers.get(name), blind=blind) for name in names),
        detail=_detail(read, names),
        hidden=HIDDEN if blind else "",
        assigned=bool(read.tasks),
        ordered=orders,
        alternatives=any(len(set(one.orders)) > 1 for one in read.found.orders),
        seen=tuple(one.shown.value for one in said.conditions) if said is not None else (),
    )
    if said is None or blind:
        return content
    return replace(
        content,
        procedures=tuple(_procedure(read, at) for at in range(len(said.procedures))),
        conditions=_conditions(said.conditions),
        helped=_helped(said),
        test=_test(said.both_against_text),
        test_words=f"Both less text, over {formats.counted(said.paired, 'procedure')} ordered under either; p by "
        "drawing procedures, Holm's correction over the metrics.",
    )


def _detail(read: PeopleRead, names: Sequence[str]) -> str:
    left_out = f", {len(read.found.left_out)} left out" if read.found.left_out else ""
    sample = " (sample, not a finding)" if read.sample else ""
    return f"{formats.counted(len(names), 'person', 'people')}{left_out}{sample}" if names else ""


def _person(name: str, tasks: Sequence[OrderTask], one: WorkerFigures | None, *, blind: bool) -> OrdererLine:
    mine = [task for task in tasks if task.assignment.annotator == name]
    given = (formats.count(len(mine)), formats.count(sum(task.is_done for task in mine))) if mine else ("", "")
    if one is None or blind:
        orders = "" if one is None else formats.count(one.orders)
        time = "" if one is None else _time(one.seconds)
        return OrdererLine(name, "", ("", "", orders, *given, "", time, ""))
    words = (
        formats.score(one.kappa), formats.score(one.accuracy), formats.count(one.orders), *given,
        formats.score(one.alternative_kappa), _time(one.seconds), _sure(one.confidence),
    )  # fmt: skip
    return OrdererLine(name, ", ".join(FLAGS[flag.value] for flag in one.flags), words)


def _procedure(read: PeopleRead, at: int) -> OrderedLine:
    assert read.figures is not None
    one = read.figures.procedures[at]
    goal = read.found.procedures[one.procedure].goal or one.procedure
    return OrderedLine(
        one.procedure,
        (goal, formats.count(one.orders), formats.score(one.accuracy), formats.score(one.kappa), _time(one.seconds),
         _sure(one.confidence)),
    )  # fmt: skip


def _conditions(found: Sequence[ConditionFigures]) -> Grid:
    """A column for each condition."""
    if not found:
        return ()
    rows = [[_words("Metric", dim=True), *(GridCell(SHOWN[one.shown.value], is_dim=True) for one in found)]]
    for name in metric_names():
        rows.append([_words(titled(name)), *(GridCell(formats.score(one.metrics[name])) for one in found)])
    rows += [
        [_words("κ of people"), *(GridCell(formats.score(one.kappa.kappa)) for one in found)],
        [_words("Time"), *(GridCell(_time(one.seconds) or formats.NONE) for one in found)],
        [_words("Sure"), *(GridCell(_sure(one.confidence) or formats.NONE) for one in found)],
        [_words("n", dim=True), *(GridCell(formats.count(one.orders), is_dim=True) for one in found)],
    ]
    return rows


def _helped(said: OrderFigures) -> Grid:
    answers = sum(said.helped.values())
    if not answers:
        return ()
    rows = [[_words("Input", dim=True), GridCell("Share", is_dim=True), GridCell("n", is_dim=True)]]
    for word in (HelpfulInput.BOTH, HelpfulInput.TEXT, HelpfulInput.PICTURE, HelpfulInput.NEITHER):
        count = said.helped[word]
        share = GridCell(formats.share(count / answers))
        rows.append([_words(word.value.capitalize()), share, GridCell(formats.count(count), is_dim=True)])
    return rows


def _test(found: Sequence[Difference]) -> Grid:
    if not found:
        return ()
    heads = ("Difference", "Low", "High", "p")
    rows = [[_words("Metric", dim=True), *(GridCell(words, is_dim=True) for words in heads)]]
    for one in found:
        low, high = one.ci or (None, None)
        rows.append(
            [_words(titled(one.metric)),
             *(GridCell(formats.score(value)) for value in (one.difference, low, high, one.p_holm))]
        )  # fmt: skip
    return rows


def _time(seconds: float | None) -> str:
    return "" if seconds is None else formats.clock(seconds)


def _sure(confidence: float | None) -> str:
    return "" if confidence is None else f"{confidence:.1f}"


def _words(text: str, *, dim: bool = False) -> GridCell:
    return GridCell(text, is_number=False, is_dim=dim)
