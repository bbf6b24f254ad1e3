"""Items of a run in words, beside what the data says about them: for reports, whatever the task."""

from __future__ import annotations

from collections.abc import Callable

from stepscope.core.domain.action import Action, Finish, PressKey, Scroll, action_end, action_point, action_text
from stepscope.core.domain.affordance import AffordanceAnswer, allowed_words, flags_words
from stepscope.core.domain.episode import Episode
from stepscope.core.domain.prediction import (
    ActionAnswer,
    AskAnswer,
    FeasibilityAnswer,
    FieldsAnswer,
    GoalAnswer,
    OrderAnswer,
    Prediction,
    Task,
)
from stepscope.core.domain.run import Outcome
from stepscope.core.domain.walk import WalkAnswer, number_of_actions, walk_words
from stepscope.core.domain.webtask import task_of
from stepscope.core.frozen import dataclass
from stepscope.core.sources.procedures import read_procedure
from stepscope.core.sources.source import Source, web_tasks_of


@dataclass(frozen=True, slots=True)
class ItemContext:
    """The data's words on an item: the goal that heads it, the right answer, and where a sentence cannot say it, `rows`
    under `columns`. `pictures` are PNG, JPEG or WebP files."""

    goal: str = ""
    reference: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    pictures: tuple[bytes, ...] = ()


def evidence(task: Task, source: Source, outcome: Outcome, read: Callable[[str], Episode] | None = None) -> ItemContext:
    """Read from the run's data, without pictures; `read` gives an episode where it is kept between items. Raises what
    the source raises."""
    name, step = outcome.key.episode, outcome.key.step
    read = read or source.read
    match task:
        case Task.ORDERING:
            return _ordering(source, name, outcome.prediction)
        case Task.WEBTASK:
            return _page(source, name, outcome.prediction)
        case Task.FEASIBILITY:
            return _feasibility(read(name))
        case Task.GOAL:
            episode = read(name)
            return ItemContext("", episode.original_goal or episode.goal)
        case Task.ASK:
            return _ask(read(name), step)
        case Task.AUTOMATION | Task.GROUNDING:
            return _action(read(name), step)
        case Task.ROLLOUT:
            episode = read(name)
            return ItemContext(episode.goal, number_of_actions(sum(_acts(step.action) for step in episode.steps)))
        case Task.AFFORDANCE:
            return _screen(read(name), step)


def predicted_words(prediction: Prediction) -> str:
    """The answer in a few words; one that cannot be used says why."""
    match prediction.answer:
        case None:
            why = f": {prediction.why}" if prediction.why else ""
            return f"nothing usable ({prediction.status.value}){why}"
        case ActionAnswer(action):
            return action_words(action)
        case FeasibilityAnswer(label, score):
            why = f" ({prediction.answer.reason.value})" if prediction.answer.reason is not None else ""
            return label.value + why + (f", P(infeasible) {score:.3f}" if score is not None else "")
        case GoalAnswer(text):
            return text or "an empty text"
        case OrderAnswer(order):
            return f"an order of {len(order)} steps"
        case AskAnswer(question):
            return "does not ask" if question is None else f"asks “{question}”"
        case FieldsAnswer(fields):
            return f"values of {len(fields)} fields" if fields else "no field filled in"
        case WalkAnswer() as walk:
            return walk_words(walk)
        case AffordanceAnswer():
            return allowed_words(prediction.answer)


def _acts(action: Action | None) -> bool:
    return action is not None and not isinstance(action, Finish)


def action_words(action: Action) -> str:
    """An action in a few words, places in pixels."""
    words = [action.kind.replace("_", " ")]
    if isinstance(action, Finish):
        words.append(action.status.value)
    if isinstance(action, Scroll):
        words.append(action.direction.value)
    if isinstance(action, PressKey):
        words.append(action.key)
    text, point, end = action_text(action), action_point(action), action_end(action)
    if text is not None:
        words.append(f"“{text}”")
    if point is not None:
        words.append(f"at {point.x:.0f}, {point.y:.0f}")
    if end is not None:
        words.append(f"to {end.x:.0f}, {end.y:.0f}")
    return " ".join(words)


def _action(episode: Episode, index: int) -> ItemContext:
    action = next((step.action for step in episode.steps if step.index == index), None)
    return ItemContext(episode.goal, action_words(action) if action is not None else "")


def _screen(episode: Episode, index: int) -> ItemContext:
    tree = next((step.observation.tree for step in episode.steps if step.index == index), None)
    return ItemContext(episode.goal, "" if tree is None else flags_words(tree))


def _feasibility(episode: Episode) -> ItemContext:
    said = episode.feasibility
    reason = f" ({said.reason.value})" if said.reason else ""
    return ItemContext(episode.goal, f"{said.label.value}{reason}" if said.label else "")


def _ask(episode: Episode, index: int) -> ItemContext:
    due = episode.ask_at(index)
    return ItemContext(episode.goal, "no question is due" if due is None else f"“{due.question}” is due")


def _ordering(source: Source, name: str, prediction: Prediction) -> ItemContext:
    """The steps in the predicted order, each with its place in the data; those that were left out come last."""
    procedure = read_procedure(source, name)
    place_of = {step.id: place for place, step in enumerate(procedure.steps, start=1)}
    words = {step.id: " ".join(filter(None, (step.title, step.text))) for step in procedure.steps}
    order = prediction.answer.order if isinstance(prediction.answer, OrderAnswer) else ()
    rows = [(str(at), str(place_of.get(one, "–")), words.get(one, one)) for at, one in enumerate(order, start=1)]
    rows += [("–", str(place), words[one]) for one, place in place_of.items() if one not in order]
    orders = f"{1 + len(procedure.orders)} right orders" if procedure.orders else "the order of the data"
    return ItemContext(procedure.goal, orders, ("Predicted", "In the data", "Step"), tuple(rows))


def _page(source: Source, name: str, prediction: Prediction) -> ItemContext:
    """The fields in page order with the predicted value and each worker's; other fields that were filled in come
    last."""
    pages = web_tasks_of(source)
    instance, task = pages.read_instance(name), pages.read_task(task_of(name))
    predicted = dict(prediction.answer.fields) if isinstance(prediction.answer, FieldsAnswer) else {}
    names = list(dict.fromkeys([*(field.name for field in task.fields), *predicted]))
    rows = tuple(
        (field, predicted.get(field, "–"), " | ".join(answer.get(field, "–") for answer in instance.answers))
        for field in names
    )
    people = f"answers of {len(instance.answers)} people" if instance.answers else "nobody's answers"
    return ItemContext(task.title or task.name, people, ("Field", "Predicted", "People"), rows)
