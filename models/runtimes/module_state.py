"""The tensors of a torch module, without those that it was given and does not learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module


def learned_state(module: Module) -> dict[str, Tensor]:
    """The module's tensors on the processor, copied, without those of frozen parameters."""
    frozen = frozen_names(module)
    return {
        name: tensor.detach().to("cpu", copy=True) for name, tensor in module.state_dict().items() if name not in frozen
    }


def frozen_names(module: Module) -> set[str]:
    """The names of the parameters that are not trained."""
    return {name for name, parameter in module.named_parameters() if not parameter.requires_grad}


def take_state(module: Module, state: Mapping[str, Tensor]) -> None:
    """Fill the module; frozen parameters may be missing. Raises RuntimeError for tensors of another network."""
    found = module.load_state_dict(dict(state), strict=False)
    missing = set(found.missing_keys) - frozen_names(module)
    if missing or found.unexpected_keys:
        wrong = sorted(missing) or found.unexpected_keys
        raise RuntimeError(f"{'missing' if missing else 'unexpected'}: {', '.join(wrong[:3])}")
