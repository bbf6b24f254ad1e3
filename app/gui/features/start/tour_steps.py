"""The six steps of the tour."""

from __future__ import annotations

from stepscope.core.frozen import dataclass
from stepscope.widgets.start import TourStepRow


@dataclass(frozen=True, slots=True)
class TourStep:
    """`anchor` names the part of the window that it is about, `workspace` where that is. The step is done when one of
    `commands` is run; the first one's key is what the words ask for ("{key}")."""

    title: str
    short: str
    words: str
    anchor: str
    commands: tuple[str, ...]
    workspace: str = "replay"


TOUR: tuple[TourStep, ...] = (
    TourStep(
        "Goal and screens",
        "The goal, and a screen for each step towards it",
        "Above is the goal in words. The screen in the middle is what was seen before the action; the one before and "
        "the one after stand beside it. Press {key} for another step.",
        "title",
        ("step.previous", "step.next", "step.first", "step.last", "step.next_ten", "step.previous_ten"),
    ),
    TourStep(
        "Marks on a step",
        "What was right, and what each run did",
        "The ring is what was recorded as right. A letter is what a run did: filled where it counts, hollow with a "
        "cross where not. Each has a chip here. Press {key} to show or hide how far off a tap may be.",
        "layers",
        ("layer.tolerance", "layer.reference", "layer.a", "layer.b", "layer.target"),
    ),
    TourStep(
        "Next wrong step",
        "One key leads from error to error",
        "Each lane is a run, each cell a step: filled where it counts, hollow with a cross where not. Press {key} to "
        "go to the next step that a run got wrong, in this episode or in the next one of the list.",
        "timeline",
        ("wrong.next", "wrong.previous", "differs.next"),
    ),
    TourStep(
        "Why it counts",
        "The rule, with its numbers",
        "Here stands why each answer counts or does not: which rule, how far away, and what the limit is. Press {key} "
        "to see what another rule says of the same answers.",
        "inspector",
        ("rule.next", "rule.previous"),
    ),
    TourStep(
        "Compare two runs",
        "Where one is right and the other wrong",
        "Two runs side by side: the steps on which they differ, the difference with its interval, and both screens. "
        "Press {key} to go there.",
        "compare",
        ("workspace.compare", "run.compare"),
    ),
    TourStep(
        "Run your own",
        "A task, data and a model",
        "An evaluation asks for a task, data and a model, and tells the time first. Press {key} to open its form; "
        "nothing runs before you say so. Open Folder in the File menu opens data of your own.",
        "evaluate",
        ("evaluate.automation",),
        "compare",
    ),
)


def tour_rows() -> tuple[TourStepRow, ...]:
    """The steps as the start page lists them."""
    return tuple(TourStepRow(step.title, step.short) for step in TOUR)
