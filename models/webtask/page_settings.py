"""What a model that fills in pages is shown and how it is asked: settings in its name, `page:lab/m?demos=3&vision=1`.

Demonstrations, full or relevant HTML and pictures are those of TurkingBench (Xu et al. 2024), section 4 and table 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, cast

from stepscope.core.domain.model_name import with_settings
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.demonstrations import MOST
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.option import Option, OptionValue
from stepscope.core.scoring.options import checked

Html = Literal["full", "relevant", "layout"]
Ask = Literal["page", "field"]

CONTEXT = 32_000
LEAST_CONTEXT, MOST_CONTEXT = 1_000, 4_000_000
MOST_ROUNDS = 10

OPTIONS = (
    Option("demos", 0, "Solved pages of other tasks that it is shown first.", "paper", high=MOST),
    Option(
        "html",
        "full",
        "The page's whole HTML, a few lines around the field that it is asked about, or its words with their places.",
        "paper",
        choices=("full", "relevant", "layout"),
    ),
    Option("vision", 0, "Show it a picture of the page too, and let it click and type.", "paper", high=1),
    Option(
        "ask",
        "auto",
        "One question for the whole page, or one for each field; auto: for each field where the HTML is relevant.",
        "ours",
        choices=("auto", "page", "field"),
    ),
    Option(
        "context",
        CONTEXT,
        "Tokens that the model can take in, its answer with them; what is more is left out of the page.",
        "ours",
        low=LEAST_CONTEXT,
        high=MOST_CONTEXT,
    ),
    Option(
        "rounds",
        1,
        "How often it may look at the page and act; it is told what its calls did, and may say that it is done.",
        "ours",
        low=1,
        high=MOST_ROUNDS,
    ),
)


@dataclass(frozen=True, slots=True)
class PageSettings:
    """`demos` solved pages at most; `vision`: with pictures; `context` in tokens, the answer's with them; `rounds`:
    how often it looks and acts."""

    demos: int = 0
    html: Html = "full"
    vision: bool = False
    asked: Literal["auto", "page", "field"] = "auto"
    context: int = CONTEXT
    rounds: int = 1

    @property
    def ask(self) -> Ask:
        if self.asked == "auto":
            return "field" if self.html == "relevant" else "page"
        return self.asked

    @property
    def words(self) -> str:
        """What sets it apart, such as "3 demos, full page, with pictures"."""
        parts = [f"{self.demos} demo{'s' if self.demos > 1 else ''}"] if self.demos else []
        parts.append({"full": "full page", "relevant": "relevant parts", "layout": "layout"}[self.html])
        parts += ["with pictures"] if self.vision else []
        parts += [] if self.asked == "auto" else ["asked once" if self.asked == "page" else "asked field by field"]
        parts += [] if self.context == CONTEXT else [f"{self.context:,} tokens"]
        parts += [] if self.rounds == 1 else [f"{self.rounds} rounds"]
        return ", ".join(parts)


def page_settings(name: str, given: Mapping[str, str]) -> PageSettings:
    """The settings of the model of that name. Raises UsageError for one that there is not, a value that cannot be, and
    demonstrations beside a layout: they are never drawn."""
    found = _settings(checked(name, OPTIONS, given))
    if found.html == "layout" and found.demos:
        raise UsageError(f"{name}: demonstrations have no layout.", hint="Leave demos out, or show it HTML.")
    return found


def set_name(name: str, settings: PageSettings) -> str:
    """The model's name with the settings that are not at their defaults, in the order of `OPTIONS`."""
    values: dict[str, OptionValue] = {
        "demos": settings.demos,
        "html": settings.html,
        "vision": int(settings.vision),
        "ask": settings.asked,
        "context": settings.context,
        "rounds": settings.rounds,
    }
    usual = {option.name: option.default for option in OPTIONS}
    return with_settings(name, {key: value for key, value in values.items() if value != usual[key]})


def _settings(values: Mapping[str, OptionValue]) -> PageSettings:
    return PageSettings(
        demos=int(values["demos"]),
        html=cast(Html, values["html"]),
        vision=bool(values["vision"]),
        asked=cast(Literal["auto", "page", "field"], values["ask"]),
        context=int(values["context"]),
        rounds=int(values["rounds"]),
    )
