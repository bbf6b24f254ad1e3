"""Wrong steps, causes and tags as the grid shows them, and how a choice of them stands in the filter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from stepscope.app.services.error_causes import Place, WrongStep
from stepscope.core.domain.error_cause import CAUSE_TITLES, ErrorCause
from stepscope.core.domain.filter import And, FilterError, Not, Query, Term, Text, quoted
from stepscope.core.domain.filter_parser import parse
from stepscope.widgets.common.action_words import action_words
from stepscope.widgets.format import app_name, confidence
from stepscope.widgets.grid.grid_values import Choice, Tile, TileGroup, WrongStepDetails
from stepscope.widgets.grid.view import BY_APP, BY_CAUSE, FARTHEST, LEAST_SURE

SECTIONS = {
    ErrorCause.UNREADABLE: "Talk and end", ErrorCause.MISSED_ASK: "Talk and end",
    ErrorCause.FINISHED_EARLY: "Talk and end",
    ErrorCause.KIND: "Action", ErrorCause.DIRECTION: "Action", ErrorCause.TEXT: "Action",
    ErrorCause.ROW: "Place", ErrorCause.NEAR: "Place", ErrorCause.FAR: "Place", ErrorCause.PLACELESS: "Place",
}  # fmt: skip
"""What the causes are about."""

_ORDER = ("Place", "Action", "Talk and end")

EXPLAINED = {
    ErrorCause.UNREADABLE: "There is no answer, or none that could be read.",
    ErrorCause.MISSED_ASK: "A question was due, and the run acted instead.",
    ErrorCause.FINISHED_EARLY: "The run ended the task where the reference goes on.",
    ErrorCause.KIND: "Another kind of action: a tap where text was typed, say. Swipes and scrolls are one kind.",
    ErrorCause.DIRECTION: "A swipe or scroll the other way.",
    ErrorCause.TEXT: "Other words, another key or app, or another end of the task.",
    ErrorCause.ROW: "The point lies in the row directly above or below the target's, in the same list. Told with a UI "
    "tree only.",
    ErrorCause.NEAR: "Another place, at most 0.14 of the screen away.",
    ErrorCause.FAR: "Another place, more than 0.14 of the screen away.",
    ErrorCause.PLACELESS: "One of the two actions does not say where it is.",
}
"""How each cause is told; they are looked for from the unreadable answer on, and the first that fits counts."""

UNTAGGED = "\n"
"""The line of the steps without a tag."""


def cause_choices(steps: Iterable[WrongStep], chosen: Sequence[str]) -> tuple[Choice, ...]:
    """All causes that occur or are chosen, what they are about together, with the number of their steps; first all."""
    counts = Counter(one.cause for one in steps)
    shown = [cause for cause in ErrorCause if counts[cause] or cause in chosen]
    found = [Choice("", "All wrong steps", counts.total(), chosen=not chosen)]
    for section in _ORDER:
        inside = sorted((one for one in shown if SECTIONS[one] == section), key=lambda one: -counts[one])
        found += [
            Choice(one.value, CAUSE_TITLES[one], counts[one], section if place == 0 else "", one in chosen,
                   EXPLAINED[one])
            for place, one in enumerate(inside)
        ]  # fmt: skip
    return tuple(found)


def tag_choices(steps: Iterable[WrongStep], tags: Mapping[Place, Sequence[str]], chosen: str) -> tuple[Choice, ...]:
    """The tags of these steps by how many have them, and those without any. `chosen`: the one of the filter."""
    counts: Counter[str] = Counter()
    bare = 0
    for one in steps:
        counts.update(tags.get(one.place, ()))
        bare += one.place not in tags
    ordered = sorted(counts, key=lambda tag: (-counts[tag], tag.casefold()))
    found = [Choice(tag, tag, counts[tag], "Tags" if place == 0 else "", tag == chosen)
             for place, tag in enumerate(ordered)]  # fmt: skip
    return (*found, Choice(UNTAGGED, "Not tagged", bare, "" if found else "Tags", chosen == UNTAGGED))


def tile_groups(
    steps: Sequence[WrongStep], grouping: str, order: str, tags: Mapping[Place, Sequence[str]]
) -> tuple[TileGroup, ...]:
    """The steps as tiles under headings, the largest group first."""
    name_of = _heading(grouping)
    together: dict[str, list[WrongStep]] = {}
    for one in steps:
        together.setdefault(name_of(one), []).append(one)
    groups = sorted(together.items(), key=lambda pair: -len(pair[1]))
    return tuple(
        TileGroup(title, tuple(_tile(one, tags.get(one.place, ())) for one in _ordered(found, order)))
        for title, found in groups
    )


def _heading(grouping: str) -> Callable[[WrongStep], str]:
    if grouping == BY_APP:
        return lambda one: app_name(one.app) if one.app else "No app"
    if grouping == BY_CAUSE:
        return lambda one: CAUSE_TITLES[one.cause]
    return lambda one: one.kind.replace("_", " ").capitalize() if one.kind else "No reference action"


def _ordered(steps: Sequence[WrongStep], order: str) -> Sequence[WrongStep]:
    if order == LEAST_SURE:
        return sorted(steps, key=lambda one: one.confidence if one.confidence is not None else 2.0)
    if order == FARTHEST:
        return sorted(steps, key=lambda one: -(one.distance if one.distance is not None else -1.0))
    return steps


def _tile(one: WrongStep, tags: Sequence[str]) -> Tile:
    heights = [point.y / one.size.height for point in one.points]
    return Tile(
        key=one.place,
        title=one.target,
        taken=one.taken,
        number=str(one.number),
        distance=f"{one.distance:.2f}" if one.distance is not None else "",
        size=one.size,
        middle=(min(heights) + max(heights)) / 2 if heights else 0.0,
        marks=one.marks,
        has_picture=one.picture is not None,
        tags=tuple(tags),
        by_hand=one.label is not None,
    )


def details_of(one: WrongStep, run: int, tags: Sequence[str]) -> WrongStepDetails:
    """The step with the keyboard's place in words; `run` is the number of the run (0: A)."""
    app = app_name(one.app) if one.app else "No app"
    by_hand = ""
    if one.label is not None:
        who = one.label.author or "somebody"
        worked_out = CAUSE_TITLES[one.worked_out].lower()
        by_hand = f"Given by {who}, {one.label.made.astimezone():%Y-%m-%d %H:%M}. Worked out: {worked_out}."
    return WrongStepDetails(
        tile=_tile(one, tags),
        goal=one.goal,
        place=f"{app} · step {one.number} of {one.steps}",
        reference=action_words(one.reference).exact,
        run=run,
        answer=action_words(one.action).exact if one.action is not None else "",
        confidence=confidence(one.confidence) if one.confidence is not None else "",
        cause=CAUSE_TITLES[one.cause],
        explained=EXPLAINED[one.cause],
        why=one.why,
        by_hand=by_hand,
    )


# The filter -----------------------------------------------------------------------------------------------------------


def parts_of(text: str) -> tuple[Query, ...]:
    """What all must hold in a filter; nothing for one that cannot be read."""
    try:
        query = parse(text) if text.strip() else And()
    except FilterError:
        return ()
    return query.parts if isinstance(query, And) else (query,)


def chosen_causes(text: str) -> tuple[str, ...]:
    """The causes that the filter asks for."""
    found = [part for part in parts_of(text) if isinstance(part, Term) and part.field == "cause"]
    return tuple(str(value).casefold() for part in found for value in part.values)


def chosen_tag(text: str) -> str:
    """The tag that the filter asks for, UNTAGGED where it asks for none of them, "" where it does not ask."""
    for part in parts_of(text):
        if part == Not(Term("tag")):
            return UNTAGGED
        if isinstance(part, Term) and part.field == "tag" and len(part.values) == 1:
            value = part.values[0]
            return value.text if isinstance(value, Text) else ""
    return ""


def without_causes(text: str) -> Query:
    """The filter without what it says of causes."""
    return And(tuple(part for part in parts_of(text) if not _is_about(part, "cause")))


def with_cause(text: str, cause: str, *, add: bool) -> str:
    """The filter that asks for this cause alone, or besides those that it asks for; "" asks for none. The same again
    takes it away."""
    before = chosen_causes(text)
    if add and cause:
        wanted = tuple(one for one in before if one != cause) if cause in before else (*before, cause)
    else:
        wanted = () if not cause or before == (cause,) else (cause,)
    others = str(without_causes(text))
    return f"{others} cause:{','.join(wanted)}".strip() if wanted else others


def with_tag(text: str, tag: str) -> str:
    """The filter that asks for this tag, or, for UNTAGGED, for none; the same again takes it away."""
    before = chosen_tag(text)
    others = str(And(tuple(part for part in parts_of(text) if not _is_about(part, "tag"))))
    if tag == before:
        return others
    return f"{others} {'-tag' if tag == UNTAGGED else f'tag={quoted(tag)}'}".strip()


def _is_about(part: Query, field: str) -> bool:
    inner = part.part if isinstance(part, Not) else part
    return isinstance(inner, Term) and inner.field == field
