"""Encoders of texts out of folders of transformers: BERT, RoBERTa, MiniLM and any other that `AutoModel` loads.

Three outputs. `pooled`: the mean over the last layer's tokens under the attention mask, special tokens with them;
where the folder is one of sentence-transformers, what its `1_Pooling/config.json` and `modules.json` say: mean or
[CLS], and length 1. `cls`: the last layer at the first token. `tokens`: the last layer at every token of the text, the
special ones with them ([CLS] or <s> first, [SEP] or </s> last), padding left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.own_files import read_json
from stepscope.models.encoders.folders import CONFIG, INDEX, config_of, present, tensors_in, tokenizer_files
from stepscope.models.encoders.torch_encoders import TorchTexts, told
from stepscope.models.encoders.transformers_folder import (
    check,
    library,
    load_model,
    load_tokenizer,
    longest_text,
    runtime_of,
    tokens_of,
)
from stepscope.models.runtimes.weight_digest import digest_of_files

if TYPE_CHECKING:
    import torch
    from torch import Tensor
    from torch.nn import Module
else:
    torch = lazy_module("torch")

_MODULES, _POOLING, _SENTENCES = "modules.json", "1_Pooling/config.json", "sentence_bert_config.json"
_VERSION = 1
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")


@dataclass(frozen=True, slots=True)
class SentencePooling:
    """What a folder of sentence-transformers says of its vectors; else the mean, as it is."""

    pool: Literal["mean", "cls"] = "mean"
    length_1: bool = False
    lower: bool = False
    most_tokens: int | None = None


def files(path: Path) -> tuple[Path, ...]:
    """All files that decide about vectors."""
    return (*tensors_in(path), *present(path, CONFIG, INDEX, _MODULES, _POOLING, _SENTENCES), *tokenizer_files(path))


def load(path: Path, *, device: str, output: str = "pooled") -> TorchTexts:
    """Raises UnavailableError without transformers, UserError naming the folder and what keeps it from being used."""
    check(path)
    pooling = sentence_pooling(path)
    tokenizer = load_tokenizer(path)
    model, _whole = load_model(path)
    if getattr(model.config, "is_encoder_decoder", False):
        model = model.get_encoder()
    most = longest_text(model, tokenizer)
    if pooling.most_tokens is not None:
        most = min(most, pooling.most_tokens)
    inputs = [name for name in _INPUTS if name in tokenizer.model_input_names or name != "token_type_ids"]
    usual = output == "pooled"
    network = _network(model, inputs, pooling.pool if usual else output, length_1=usual and pooling.length_1)
    fingerprint = f"transformers-text {_VERSION}, sha256 {digest_of_files(files(path))}, {output}, {library()}"
    with told(path, "does not work on a text"):
        return TorchTexts(
            runtime_of(network, files(path), device),
            tokens_of(tokenizer, most, inputs, lower=pooling.lower),
            fingerprint,
            sequence=output == "tokens",
        )


def sentence_pooling(folder: Path) -> SentencePooling:
    """What sentence-transformers would do with the folder. Raises UserError for steps that are not done here."""
    steps = _steps(folder)
    if strange := [one for one in steps if one not in ("Transformer", "Pooling", "Normalize")]:
        why = f"has the step {strange[0][:60]!r} of sentence-transformers, which is not supported."
        raise UserError(why, place=folder / _MODULES, hint="Choose another folder.")
    told_of = config_of(folder, _POOLING)
    modes = {name.removeprefix("pooling_mode_") for name, on in told_of.items()
             if name.startswith("pooling_mode_") and on is True}  # fmt: skip
    if isinstance(told_of.get("pooling_mode"), str):
        modes = {told_of["pooling_mode"]}
    kinds: dict[str, Literal["mean", "cls"]] = {"mean_tokens": "mean", "mean": "mean", "cls_token": "cls", "cls": "cls"}
    if len(modes) > 1 or modes - set(kinds):
        why = f"wants its tokens pooled by {', '.join(sorted(modes))[:80]}, which is not supported."
        raise UserError(why, place=folder / _POOLING, hint="Choose a model that takes the mean or [CLS].")
    sentences = config_of(folder, _SENTENCES)
    most = sentences.get("max_seq_length")
    return SentencePooling(
        kinds[modes.pop()] if modes else "mean",
        "Normalize" in steps,
        sentences.get("do_lower_case") is True,
        most if type(most) is int and most > 0 else None,
    )


def _steps(folder: Path) -> list[str]:
    """The last word of each step's class in `modules.json`; none where there is no such file."""
    file = folder / _MODULES
    try:
        found = read_json(file)
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise UserError(f"cannot be read: {error}", place=file, hint="Choose another folder.") from error
    if not isinstance(found, list) or not all(
        isinstance(one, dict) and isinstance(one.get("type"), str) for one in found
    ):
        raise UserError("is no list of the steps of sentence-transformers.", place=file)
    return [str(one["type"]).rpartition(".")[2] for one in found]


def _network(model: Any, inputs: Sequence[str], pool: str, *, length_1: bool) -> Module:
    class TextNetwork(torch.nn.Module):
        """Inputs of (n, tokens) in; (n, d) out, or (n, tokens, d) of `tokens`."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *given: Tensor) -> Tensor:
            states: Tensor = self.model(**dict(zip(inputs, given, strict=True))).last_hidden_state
            if pool == "tokens":
                return states
            if pool == "cls":
                found = states[:, 0]
            else:
                mask = given[inputs.index("attention_mask")].unsqueeze(-1).to(states.dtype)
                found = (states * mask).sum(1) / mask.sum(1).clamp(min=1e-9)
            return torch.nn.functional.normalize(found, dim=-1) if length_1 else found

    return TextNetwork()
