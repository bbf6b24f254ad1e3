"""`stepscope agents try`: an agent asked about one screen."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stepscope.app.cli.arguments import FormatOption, JsonFlag
from stepscope.app.cli.interrupts import cancelled_by_signals
from stepscope.app.cli.output import print_json, say, table
from stepscope.app.cli.statuses import DONE, SOME_FAILED
from stepscope.core.domain.largest_number import LARGEST_NUMBER
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.services import agent_trials, coordinate_check
    from stepscope.app.services.agent_trials import AgentTrial
    from stepscope.core.domain.action import Action
    from stepscope.core.domain.geometry import Point
else:
    agent_trials = lazy_module("stepscope.app.services.agent_trials")
    coordinate_check = lazy_module("stepscope.app.services.coordinate_check")


def try_agent(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="served:SERVER/MODEL or local:CHECKPOINT.")],
    data: Annotated[Path | None, typer.Argument(metavar="[PATH]", help="The data; the sample else.")] = None,
    episode: Annotated[str | None, typer.Option(metavar="ID", help="The episode; the first with a place else.")] = None,
    step: Annotated[int | None, typer.Option(metavar="N", min=0, max=LARGEST_NUMBER, help="The step.")] = None,
    goal: Annotated[str, typer.Option(metavar="TEXT", help="Another goal than the episode's.")] = "",
    format: FormatOption = None,
    device: Annotated[str, typer.Option(metavar="auto|cpu|cuda[:i]", help="Where a checkpoint runs.")] = "auto",
    protocol: Annotated[str, typer.Option(metavar="P", help="The rule that says whether it is right.")] = "aitw",
    json: JsonFlag = False,
) -> int:
    """Gives 0, 1 where there was no usable answer."""
    from stepscope.app.services.evaluation import check_device
    from stepscope.models.runtimes.memory import bound_models

    check_device(device)
    bound_models()
    request = agent_trials.AgentTrialRequest(
        model, data, format, episode, step, goal=goal, device=device, protocol=protocol
    )

    def heard(words: str) -> None:
        sys.stderr.write(words)
        sys.stderr.flush()

    with cancelled_by_signals() as token:
        trial = agent_trials.try_agent(request, token, None if json or not sys.stderr.isatty() else heard)
        if token.cancelled:
            raise KeyboardInterrupt
    if json:
        print_json(_form(trial))
    else:
        _show(trial)
    return DONE if trial.prediction.action is not None else SOME_FAILED


def _form(trial: AgentTrial) -> dict[str, Any]:
    from stepscope.core.domain.wire import action_to_json

    def action(one: Action | None) -> Any:
        return None if one is None else action_to_json(one)

    call = trial.call
    return {
        "episode": trial.episode,
        "step": trial.step,
        "goal": trial.goal,
        "adapter": trial.adapter.name,
        "recorded": [trial.recorded.width, trial.recorded.height],
        "sent": None if trial.sent is None else [trial.sent.width, trial.sent.height],
        "prompt": [] if call is None else [
            {"role": one.role, "text": "\n".join(part for part in one.parts if isinstance(part, str)),
             "pictures": sum(not isinstance(part, str) for part in one.parts)} for one in call.messages
        ],
        "settings": {} if call is None else dict(call.settings),
        "raw": trial.prediction.raw,
        "said": [] if call is None else [[one.x, one.y] for one in call.said],
        "action": action(trial.prediction.action),
        "reference": action(trial.reference),
        "status": trial.prediction.status.value,
        "why": trial.prediction.why,
        "right": None if trial.score.value is None else trial.score.right,
        "spaces": [
            {"space": one.space, "point": _place(one.point), "right": one.right, "problem": one.problem or None}
            for one in trial.readings
        ],
        "tokens_in": None if call is None else call.tokens_in,
        "tokens_out": None if call is None else call.tokens_out,
        "load_seconds": trial.load_seconds,
        "answer_seconds": trial.answer_seconds,
    }  # fmt: skip


def _words(action: Action | None) -> str:
    """The action with its place, as in "tap at 540, 1200"."""
    from stepscope.core.domain.action import action_point
    from stepscope.core.sources.procedures import action_words

    if action is None:
        return ""
    point = action_point(action)
    words = action_words(action) or action.kind
    return words if point is None else f"{words} at {point.x:.0f}, {point.y:.0f}"


def _place(point: Point | None) -> list[float] | None:
    return None if point is None else [point.x, point.y]


def _show(trial: AgentTrial) -> None:
    form = _form(trial)
    say(f"Step {trial.step} of {trial.episode}: {trial.goal}", "")
    for one in form["prompt"]:
        pictures = f"\n<{one['pictures']} picture{'s' if one['pictures'] > 1 else ''}>" if one["pictures"] else ""
        say(f"{one['role']}:", *f"{one['text']}{pictures}".splitlines(), "")
    say("answer:", *(trial.prediction.raw or "–").splitlines(), "")
    sent = "no picture" if trial.sent is None else f"{trial.sent}"
    verdict = {True: "right", False: "wrong", None: "cannot be scored"}[form["right"]]
    rows = [
        ["recorded", str(trial.recorded)],
        ["sent", sent],
        ["said", "; ".join(f"{x:g}, {y:g}" for x, y in form["said"]) or "–"],
        ["meant", _words(trial.prediction.action) or f"{trial.prediction.status}: {trial.prediction.why}"],
        ["recorded action", _words(trial.reference) or "–"],
        ["verdict", f"{verdict}: {trial.score.why}"],
        ["seconds", f"{trial.load_seconds:.1f} to load, {trial.answer_seconds:.1f} to answer"],
    ]
    table(["what", "value"], rows)
    if any(one.point is not None for one in trial.readings):
        say("", "The same answer in every space:")
        table(["space", "place", "right"], [
            [
                coordinate_check.space_words(one.space, trial.adapter),
                "–" if one.point is None else f"{one.point.x:.0f}, {one.point.y:.0f}",
                {True: "yes", False: "no", None: "–"}[one.right],
            ]
            for one in trial.readings
        ])  # fmt: skip
