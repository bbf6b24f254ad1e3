"""The encoders of a tuned recipe as parts of its network: which of their parameters are learned."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from stepscope.core.errors import UnavailableError, UsageError
from stepscope.core.lazy import lazy_module
from stepscope.models.learned.encoder_choice import Config, encoders_of, tuning_of

if TYPE_CHECKING:
    import torch
    from torch.nn import Module
else:
    torch = lazy_module("torch")


def encoder_networks(config: Config, *, pictures: bool = True) -> tuple[Module, Module | None]:
    """The networks of the encoders that the config names, of texts and of pictures, all of their parameters to be
    learned. Raises what `load_tuned_inputs` raises."""
    from stepscope.models.features.tuned_inputs import load_tuned_inputs

    names = encoders_of(config)
    inputs = load_tuned_inputs(names.texts, names.views if pictures else "")
    texts = inputs.texts.network.requires_grad_(True)
    return texts, inputs.screens.network.requires_grad_(True) if inputs.screens is not None else None


def restricted(
    module: Module, config: Config, parts: tuple[str, ...] = ("texts", "views"), elsewhere: Sequence[str] = ()
) -> Module:
    """The module with what its config says is learned of its encoders, which are its attributes `parts`. A pattern may
    be about parameters of these names `elsewhere`, which the module does not have. Raises
    UsageError for a pattern that is none or is found in no name, UnavailableError without peft where LoRA is wanted."""
    tuning = tuning_of(config)
    for pattern in tuning.freeze:
        try:
            frozen = [one for name, one in module.named_parameters() if re.search(pattern, name)]
        except re.error as error:
            raise UsageError(f"{pattern!r} is no pattern: {error}.", hint="Write a regular expression.") from error
        if not frozen and not any(re.search(pattern, name) for name in elsewhere):
            names = [name for name, _ in module.named_parameters()]
            raise UsageError(f"{pattern!r} is in no parameter's name.", hint=f"The first is {names[0]}.")
        for parameter in frozen:
            parameter.requires_grad_(False)
    if tuning.lora:
        _with_lora(module, tuning.lora, parts)
    return module


def _with_lora(module: Module, rank: int, parts: tuple[str, ...]) -> None:
    """Matrices of that rank beside every linear layer of the encoders; only these and what is no encoder are learned.
    alpha is twice the rank."""
    try:
        from peft import LoraConfig, inject_adapter_in_model
    except ImportError as error:
        hint = "Install it with pip install 'stepscope[models]'."
        raise UnavailableError(f"LoRA needs the package {error.name}.", hint=hint) from error
    rest = [one for name, one in module.named_parameters() if name.partition(".")[0] not in parts and one.requires_grad]
    layers = [name for part in parts for name in _linear_layers(module, part)]
    if not layers:
        raise UsageError("These encoders have no linear layer to put LoRA beside.", hint="Leave --lora out.")
    inject_adapter_in_model(LoraConfig(r=rank, lora_alpha=2 * rank, target_modules=layers), module)
    for parameter in rest:
        parameter.requires_grad_(True)


def _linear_layers(module: Module, part: str) -> list[str]:
    """Names of the part's linear layers; without those that torch's own attention reads past."""
    inside = getattr(module, part, None)
    if inside is None:
        return []
    attention = {
        f"{name}.out_proj" for name, one in inside.named_modules() if isinstance(one, torch.nn.MultiheadAttention)
    }
    return [
        f"{part}.{name}"
        for name, one in inside.named_modules()
        if isinstance(one, torch.nn.Linear) and name not in attention
    ]
