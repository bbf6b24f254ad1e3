"""What the tasks are called in the window, in the order of the menu."""

from stepscope.core.domain.prediction import Task

TASK_TITLES = {
    Task.FEASIBILITY: "Feasibility",
    Task.AUTOMATION: "Task automation",
    Task.GOAL: "Goal identification",
    Task.ORDERING: "Step ordering",
    Task.ASK: "ASK",
    Task.WEBTASK: "Web tasks",
    Task.GROUNDING: "Grounding",
    Task.ROLLOUT: "Roll-out",
    Task.AFFORDANCE: "Element affordance",
}
