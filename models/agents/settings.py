"""What an agent is told and shown: settings in its name, `served:lab/m#automation?adapter=ui-tars-1.5&screens=4`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, cast

from stepscope.core.frozen import dataclass
from stepscope.core.scoring.option import Option
from stepscope.core.scoring.options import checked
from stepscope.models.agents.adapter import Adapter, adapter_for, adapter_named, adapters
from stepscope.models.agents.spaces import AS_SAID, READINGS, PlaceReading, reading_of

PastSteps = Literal["recorded", "predicted", "none"]
Streams = Literal["two", "all", "paper"]
MOST_SCREENS = 8
MOST_TOKENS = 1_024
"""Of an answer (ours): those with a long thought need more."""


@dataclass(frozen=True, slots=True)
class AskingSettings:
    """`history`: the steps before as they were recorded, as the agent itself answered them (predicted), or nothing of
    them. `screens`: how many of their pictures are sent besides the step's own. `tokens`: the longest answer. `space`:
    how its places are read, a word of `READINGS`. `streams`, of asking: what it is asked besides what it does now: what
    once answered (two), and what when told the whole goal and when it may not ask (all); after the due step with the
    answer whether or not it has asked (paper)."""

    adapter: Adapter
    history: PastSteps = "recorded"
    screens: int = 0
    tokens: int = MOST_TOKENS
    space: str = AS_SAID
    streams: Streams = "all"

    @property
    def reading(self) -> PlaceReading:
        return reading_of(self.space, self.adapter.space)

    @property
    def words(self) -> str:
        """What sets it apart, such as "UI-TARS 1.5, 4 screens before"."""
        parts = [self.adapter.title]
        parts += (
            [] if self.history == "recorded" else [{"none": "no history", "predicted": "own history"}[self.history]]
        )
        parts += [f"{self.screens} screen{'s' if self.screens > 1 else ''} before"] if self.screens else []
        parts += [f"{self.tokens:,} tokens"] if self.tokens != MOST_TOKENS else []
        parts += [] if self.space == AS_SAID else [f"read as {self.space}"]
        parts += [] if self.streams == "all" else [{"two": "two streams", "paper": "answered always"}[self.streams]]
        return ", ".join(parts)

    @property
    def values(self) -> dict[str, object]:
        """As the options of these names have them."""
        return {
            "adapter": self.adapter.name, "history": self.history, "tokens": self.tokens, "space": self.space,
            "streams": self.streams,
            "screens": AS_SAID if self.screens == self.adapter.screens else str(self.screens),
        }  # fmt: skip


STREAMS = Option(
    "streams",
    "all",
    "What it is asked when asking is evaluated: what it does now and once answered (two), also told the whole goal and "
    "when it may not ask (all: about twice as much); or after the due step with the answer whether or not it has "
    "asked (paper).",
    "ours",
    choices=("two", "all", "paper"),
)
"""A setting of agents that are asked whether they ask."""


def options(usual: str, names: Iterable[str], *, asks: bool = False) -> tuple[Option, ...]:
    """The settings of an agent whose `usual` adapter is one of those with these names; `asks`: it is asked whether it
    asks."""
    found = (
        Option("adapter", usual, "How it is asked and read: see stepscope agents list.", "ours",
               choices=tuple(dict.fromkeys((usual, *names)))),
        Option("history", "recorded", "The steps before as they were recorded, as the agent itself answered them "
               "(predicted), or nothing of them.", "ours", choices=("recorded", "predicted", "none")),
        Option(
            "screens",
            AS_SAID,
            "Pictures of the steps before that are sent too; adapter: as many as its adapter says.",
            "code",
            choices=(AS_SAID, *map(str, range(MOST_SCREENS + 1))),
        ),
        Option("tokens", MOST_TOKENS, "The longest answer, in tokens.", "ours", low=16, high=131_072),
        Option("space", AS_SAID, "The space that its places are read in, where it is not the adapter's own.", "ours",
               choices=READINGS),
    )  # fmt: skip
    return (*found, STREAMS) if asks else found


def asking_settings(
    owner: str, model: str, given: Mapping[str, str], usually: str = "", *, asks: bool = False
) -> tuple[AskingSettings, tuple[Option, ...]]:
    """The settings of the model `model` of the whole name `owner`, and what can be set; where no adapter is given it is
    the one that is `usually` taken, or else that of the model's name. Raises UsageError for a setting or an adapter
    that there is not, UserError for a broken one."""
    known, _ = adapters()
    usual = usually or adapter_for(model, known)
    named = given.get("adapter", usual)
    adapter = known[named] if named in known else adapter_named(named)
    offered = options(usual, (*known, named), asks=asks)
    values = checked(owner, offered, given)
    history = cast(PastSteps, values["history"])
    screens = adapter.screens if values["screens"] == AS_SAID else int(values["screens"])
    tokens, space = int(values["tokens"]), str(values["space"])
    streams = cast(Streams, values.get(STREAMS.name, STREAMS.default))
    return AskingSettings(adapter, history, screens, tokens, space, streams), offered
