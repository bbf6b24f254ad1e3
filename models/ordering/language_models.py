"""Which language models `lm-perplexity` can ask, and its name for each: `lm-perplexity?weights=NAME`.

They are folders of transformers that a person added: a model that continues texts by `stepscope weights add`, one that
sees as well by `stepscope models add`. Looks only, and loads nothing: lists use it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from stepscope.core.domain.model_name import with_settings
from stepscope.core.errors import UnavailableError, UsageError, UserError
from stepscope.core.evaluation.predictor import ModelInfo
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.names import did_you_mean
from stepscope.models.catalog import LM_PERPLEXITY
from stepscope.models.checkpoints import checkpoint
from stepscope.models.encoders import added
from stepscope.models.encoders.folders import CONFIG, config_of

SETTING = "weights"
"""What is set in the name."""
_FAMILY = "transformers-text"
"""The family of encoders under which such folders are added."""
_CONTINUES = "ForCausalLM"
_OLDER = ("GPT2LMHeadModel", "OpenAIGPTLMHeadModel", "CTRLLMHeadModel")
"""What architectures are called that continue texts, as the library names its classes."""
_ADD = "Add the folder of one, GPT-2, Qwen or Llama say: stepscope weights add FOLDER."


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """`sees`: it is one of pictures and texts, of which only texts are asked. `digest` of its files, "" where that was
    not taken when it was added."""

    name: str
    folder: Path
    sees: bool = False
    digest: str = ""


def language_models() -> tuple[LanguageModel, ...]:
    """All that can be asked; of two with one name that of the weights. Raises UserError for a list that cannot be
    read."""
    texts = [
        LanguageModel(one.name, Path(one.path), digest=one.sha256)
        for one in added.load()
        if one.family == _FAMILY and _continues(Path(one.path))
    ]
    taken = {one.name for one in texts}
    seeing = [
        LanguageModel(one.name, Path(one.folder), sees=True)
        for one in checkpoint.load()
        if not one.lora and not one.code and one.name not in taken and (Path(one.folder) / CONFIG).is_file()
    ]
    return (*texts, *seeing)


def chosen(given: Mapping[str, str]) -> LanguageModel:
    """The one that a name's settings say. Raises UsageError for another setting and for one that cannot be asked,
    UserError as `language_models`."""
    if strange := [name for name in given if name != SETTING]:
        hint = f"It has {SETTING}."
        raise UsageError(f"{LM_PERPLEXITY.name} has no option {strange[0]!r}.", hint=hint)
    known = {one.name: one for one in language_models()}
    if not (name := given.get(SETTING, "")):
        unchosen()
    if name not in known:
        there = f"{did_you_mean(name, known)}There is {', '.join(known)}. " if known else ""
        raise UsageError(f"No language model {name[:80]!r} was added.", hint=f"{there}{_ADD}")
    return known[name]


def info_of(found: LanguageModel) -> ModelInfo:
    """What is said of the model that asks this one."""
    return replace(
        LM_PERPLEXITY,
        name=with_settings(LM_PERPLEXITY.name, {SETTING: found.name}),
        title=f"{LM_PERPLEXITY.title} · {found.name}",
        weights="present",
        weights_from=f"{found.folder}{f', sha256 {found.digest[:16]}…' if found.digest else ''}",
    )


def find() -> str:
    """Without a name of weights there is nothing to ask. Always raises UnavailableError, saying what can be named."""
    why, hint = _unchosen()
    raise UnavailableError(why, hint=hint)


def unchosen(*, seed: int = 0, device: str = "auto") -> NoReturn:
    """The same where it is loaded. Always raises UsageError."""
    why, hint = _unchosen()
    raise UsageError(why, hint=hint)


def _unchosen() -> tuple[str, str]:
    try:
        names = [info_of(one).name for one in language_models()]
    except UserError as error:
        return str(error), error.hint
    if not names:
        return "No language model was added.", _ADD
    return "It asks a language model, and none is named.", f"Write {' or '.join(names)}."


def _continues(folder: Path) -> bool:
    """Whether the folder's config names a class that continues texts; not where it cannot be read."""
    try:
        named = config_of(folder).get("architectures")
    except UserError:
        return False
    name = str(named[0]) if isinstance(named, list) and named else ""
    return name.endswith(_CONTINUES) or name in _OLDER
