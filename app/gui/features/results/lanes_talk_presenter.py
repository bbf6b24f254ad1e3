"""The talk about an ambiguous task in the values of its view: what was said, questions side by side, facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from stepscope.app.services.ask_results import AskNumbers, FollowUp, TaskLanes
from stepscope.app.services.ask_words import says, shared_pieces
from stepscope.core.domain.prediction import AskAnswer
from stepscope.core.evaluation.ask_cost import own_threshold
from stepscope.core.evaluation.ask_lanes import AskLanes, LaneStep, QuestionBeside
from stepscope.widgets import format as words
from stepscope.widgets.results.lanes.lane_values import ComparedQuestion, LanesTalk, QuestionsBeside, TalkBubble

MEASURES = {"cos_sim": "cosine", "meteor": "METEOR"}
NOT_MEASURED = "Not measured when the step was scored: this machine had no sentence model, and no METEOR."
WORDS_UNKNOWN = "(asks at this threshold; its words are not known)"


def talk_of(task: TaskLanes, numbers: AskNumbers, name: str) -> LanesTalk:
    """What was said about a task; `name` is the run's."""
    lanes = task.lanes
    partial = lanes.whole_goal not in (None, lanes.goal)
    goal = TalkBubble(lanes.goal, "goal, words removed" if partial else "goal", mine=True, is_goal=True)
    return LanesTalk(
        (goal, *_bubbles(lanes, name)),
        (*_references(lanes), *_follow_ups(task.follow_ups)),
        tuple(_facts(task, numbers)),
    )


def _bubbles(lanes: AskLanes, name: str) -> Iterator[TalkBubble]:
    """Each ask in its step's order; the answer after the first about a question, since the data has no other."""
    first = {one.step: one for one in lanes.questions if one.step is not None}
    for step in lanes.steps:
        cell = step.first
        if cell is None or cell.question is None:
            continue
        question = first.get(step.index)
        caption = f"{name}, step {step.index + 1}{_when(step, question)}"
        yield TalkBubble(cell.question or WORDS_UNKNOWN, caption, mine=False)
        if question is not None and question.ask.answer:
            yield TalkBubble(question.ask.answer, "answer, from the data", mine=True)


def _when(step: LaneStep, question: QuestionBeside | None) -> str:
    if question is None or question.offset is None:
        return ", nobody needed it" if step.needless or question is None else ""
    if not question.offset:
        return ", when due"
    return f", {words.count(abs(question.offset))} {'late' if question.offset > 0 else 'early'}"


def _references(lanes: AskLanes) -> Iterator[QuestionsBeside]:
    for one in lanes.questions:
        if one.asked is None:
            line = ComparedQuestion("Ref.", ((one.ask.question, False),))
            yield QuestionsBeside("Never asked", words.NONE, "", (line,))
            continue
        likeness = "" if not one.asked else _likeness(one.likeness)
        yield QuestionsBeside(
            "Beside the reference question",
            likeness or words.NONE,
            _likeness_tip(one.likeness),
            (
                ComparedQuestion("Ref.", shared_pieces(one.ask.question, one.asked)),
                ComparedQuestion("Asked", shared_pieces(one.asked or WORDS_UNKNOWN, one.ask.question)),
            ),
        )


def _follow_ups(found: tuple[FollowUp, ...]) -> Iterator[QuestionsBeside]:
    """The goal is infeasible: the agent's question beside those that people would ask (MoTIF)."""
    for asked in dict.fromkeys((one.step, one.asked) for one in found):
        mine = [one for one in found if (one.step, one.asked) == asked]
        best = max(mine, key=lambda one: one.likeness.get("cos_sim", one.likeness.get("meteor", 0.0)))
        lines = [ComparedQuestion("Asked", shared_pieces(asked[1], best.question))]
        lines += [
            ComparedQuestion(_likeness(one.likeness) or "Data", shared_pieces(one.question, asked[1])) for one in mine
        ]
        yield QuestionsBeside(
            "Infeasible: beside the data's follow-up questions",
            _likeness(best.likeness) or words.NONE,
            _likeness_tip(best.likeness),
            tuple(lines),
        )


def _likeness(likeness: Mapping[str, float]) -> str:
    """The cosine, else METEOR, else nothing."""
    value = likeness.get("cos_sim", likeness.get("meteor"))
    return "" if value is None else words.confidence(value)


def _likeness_tip(likeness: Mapping[str, float]) -> str:
    found = [f"{title} {words.score(likeness[name])}" for name, title in MEASURES.items() if name in likeness]
    return ", ".join(found) or NOT_MEASURED


def _facts(task: TaskLanes, numbers: AskNumbers) -> Iterator[tuple[str, str]]:
    lanes = task.lanes
    for one in lanes.questions:
        yield "Missing value", str(one.kind)
        if one.ask.answer:
            yield "Answer in goal", "still there" if says(lanes.goal, one.ask.answer) else "not any more"
    yield from _sureness(task, numbers)
    feasibility = task.episode.feasibility
    if feasibility.label is not None and feasibility.label.value == "infeasible":
        yield "Goal", ", ".join(filter(None, ("infeasible", str(feasibility.reason or ""))))


def _sureness(task: TaskLanes, numbers: AskNumbers) -> Iterator[tuple[str, str]]:
    """How sure the agent was where it asked, else where it should have."""
    scores = {
        one.key.step: one.prediction.answer.score
        for one in task.outcomes
        if isinstance(one.prediction.answer, AskAnswer) and one.prediction.answer.score is not None
    }
    asked = [step.index for step in task.lanes.steps if step.first is not None and step.first.question is not None]
    at = next((step for step in (*asked, *(one.ask.step for one in task.lanes.questions)) if step in scores), None)
    if at is None:
        return
    threshold = numbers.threshold if numbers.threshold is not None else own_threshold(numbers.asked)
    above = "" if threshold is None else f", asks above {words.confidence(threshold)}"
    yield "Confidence", f"{words.confidence(scores[at])} at step {at + 1}{above}"
