"""A prompt as an adapter's file has it, and the text that is made of it.

The words of the program's own prompts are ours, around the action vocabulary that each agent published; `version`
changes with every change of what is sent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from stepscope.core.frozen import dataclass

NAMES = ("goal", "instruction", "step", "history", "app", "elements", "width", "height")
"""What a prompt may name in braces. step: the instruction, or the goal where there is none. history: what was done so
far. elements: names and places of the screen's UI elements. width, height: of the picture as sent."""
PAST = ("number", "action", "words")
"""What the line of a past step may name. action: as the agent writes it; words: in plain words."""
_PLACEHOLDER = re.compile(r"\{([a-z_0-9]+)\}")


@dataclass(frozen=True, slots=True)
class PromptTemplate:
    """`user` and `system` name in braces what is put in (`NAMES`); a line of which something named is empty is left
    out. Other braces stay.

    `history`: past steps are lines within the text ("text"), or turns of the conversation, each the agent's own answer
    after its screen ("turns"). `past` is a past step's line and `between` stands between two of them; `none` is said
    where nothing was done yet. `answer` is a past answer as a turn.
    """

    version: str
    user: str
    system: str = ""
    history: Literal["text", "turns"] = "text"
    past: str = "Step {number}: {action}"
    between: str = "\n"
    none: str = ""
    answer: str = "{action}"

    def __post_init__(self) -> None:
        for field, text, names in (
            ("user", self.user, NAMES),
            ("system", self.system, NAMES),
            ("past", self.past, PAST),
            ("answer", self.answer, PAST),
        ):
            unknown = [name for name in _PLACEHOLDER.findall(text) if name not in names]
            if unknown:
                raise ValueError(f"{field} names {{{unknown[0]}}}, which is none of {', '.join(names)}")
        if not {"goal", "step", "instruction"} & {*_PLACEHOLDER.findall(self.user + self.system)}:
            raise ValueError("neither {goal} nor {step} is in the prompt")


def put_in(text: str, values: Mapping[str, str]) -> str:
    """The text with these values in their braces, each as it is; other braces stay."""
    return _PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), text)


def filled(text: str, values: Mapping[str, str]) -> str:
    """The same, without the lines that have nothing to say: of which a named value is empty."""
    kept = [line for line in text.split("\n") if all(values.get(name, " ") for name in _PLACEHOLDER.findall(line))]
    return put_in("\n".join(kept), values).strip()
