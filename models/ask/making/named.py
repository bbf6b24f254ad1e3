"""What makes ambiguous tasks, by its name: `rules`, `served:SERVER/MODEL`, `local:CHECKPOINT`, with settings such as
`?prompt=mine`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from stepscope.core.domain.ambiguous_task import RULES
from stepscope.core.domain.model_name import is_asked, split_name, with_settings
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.prediction_cache import PredictionCache
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.scoring.option import Option
from stepscope.core.scoring.options import checked
from stepscope.models.ask.making.maker import AskTaskMaker
from stepscope.models.ask.making.question_budget import QuestionBudget
from stepscope.models.checkpoints.checkpoint import Checkpoint

if TYPE_CHECKING:
    from stepscope.models.agents.asked import AskedModel
    from stepscope.models.ask.making import ask_prompts, asked_maker
    from stepscope.models.ask.making.asked_maker import AskedMakerSettings
else:
    ask_prompts = lazy_module("stepscope.models.ask.making.ask_prompts")
    asked_maker = lazy_module("stepscope.models.ask.making.asked_maker")


@dataclass(frozen=True, slots=True)
class MakerMeans:
    """What a maker that asks is given: where answers are remembered, how much it may ask, whether it asks again what it
    asked before, where a checkpoint runs, and the seed that decides which steps are left out."""

    cache: PredictionCache | None = None
    budget: QuestionBudget | None = None
    anew: bool = False
    device: str = "auto"
    seed: int = 0


def maker_options() -> tuple[Option, ...]:
    """What can be set of a maker that is asked."""
    known, _ = ask_prompts.ask_prompts()
    return (
        Option("prompt", ask_prompts.USUAL, "The words in which it is asked: see stepscope ambiguous prompts.", "ours",
               choices=tuple(dict.fromkeys((ask_prompts.USUAL, *known)))),
        Option("instructions", "missing", "Ask for every step's instruction, or only where the data has none.", "ours",
               choices=("missing", "all")),
        Option("tokens", asked_maker.MOST_TOKENS, "The longest answer, in tokens.", "ours", low=16, high=131_072),
    )  # fmt: skip


def maker_name(name: str) -> str:
    """The name under which its tasks are kept: with what is set other than usual. Raises as `maker_named`."""
    plain, given = split_name(name)
    if plain == RULES:
        checked(RULES, (), given)  # raises: nothing of it can be set
        return RULES
    if not is_asked(plain):
        raise UsageError(f"{name!r} makes no tasks.", hint=f"Give {RULES}, served:SERVER/MODEL or local:CHECKPOINT.")
    _found(plain)
    options = maker_options()
    values = checked(plain, options, given)
    return with_settings(plain, {one.name: values[one.name] for one in options if values[one.name] != one.default})


def maker_named(name: str, means: MakerMeans | None = None) -> AskTaskMaker:
    """The maker, loaded where it has weights. Raises UsageError for a name, a server or a setting that there is not,
    UserError for a broken prompt, and what loading raises."""
    called, have = maker_name(name), means or MakerMeans()
    plain, given = split_name(name)
    if plain == RULES:
        from stepscope.models.ask.making.rules import RuleTaskMaker

        return RuleTaskMaker(have.seed)
    found = _found(plain)
    settings = _settings(plain, given, found.sees, have)
    return _asked(called, found, settings, have)


def maker_settings(name: str) -> AskedMakerSettings:
    """How a maker that is asked puts its questions, without loading it. Raises as `maker_named`."""
    maker_name(name)
    plain, given = split_name(name)
    return _settings(plain, given, _found(plain).sees, MakerMeans())


def _found(plain: str) -> AskedModel:
    from stepscope.models.agents.asked import asked_model

    return asked_model(plain)


def _settings(plain: str, given: Mapping[str, str], sees: bool, means: MakerMeans) -> AskedMakerSettings:
    values = checked(plain, maker_options(), given)
    return asked_maker.AskedMakerSettings(
        ask_prompts.ask_prompt(str(values["prompt"])), sees, int(values["tokens"]), values["instructions"] == "all",
        means.anew, means.seed,
    )  # fmt: skip


def _asked(called: str, found: AskedModel, settings: AskedMakerSettings, means: MakerMeans) -> AskTaskMaker:
    chat: Any
    if isinstance(found.origin, Checkpoint):
        from stepscope.models.checkpoints.generation import LoadedCheckpoint

        chat = LoadedCheckpoint(found.origin, means.device)
        at_once, fingerprint = 1, f"{called}; {chat.facts.digest} {chat.dtype} {chat.device.kind}"
    else:
        from stepscope.models.chat.chat import ServedChat

        chat = ServedChat(found.origin, found.model)
        at_once, fingerprint = found.origin.parallel, f"{called} {found.origin.url}"
    return asked_maker.AskedTaskMaker(
        called, chat, settings, at_once=at_once, fingerprint=fingerprint, cache=means.cache, budget=means.budget
    )
