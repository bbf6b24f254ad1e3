"""How much memory a checkpoint takes, and whether this machine has it; found without loading anything."""

from __future__ import annotations

import math
from importlib.util import find_spec

from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.limits import BYTES, written_figure
from stepscope.models.checkpoints.facts import CheckpointFacts
from stepscope.models.encoders.folders import tensors_in
from stepscope.models.encoders.recognise import tensor_shapes
from stepscope.models.runtimes.devices import ComputeDevice, torch_lack
from stepscope.models.runtimes.devices import available as devices

INSTALL = "pip install 'stepscope[vlm]'"
_LIBRARIES = ("torch", "transformers", "PIL")
_SHORT = ((10**9, "B"), (10**6, "M"), (10**3, "K"))
_WIDTHS = {"float32": 4, "float16": 2, "bfloat16": 2}
"""Bytes of a number."""


@dataclass(frozen=True, slots=True)
class Needs:
    """`bytes` of memory for the weights on `device`; answers and pictures take more. `parameters` is 0 where the files
    do not tell."""

    parameters: int
    bytes: int
    device: ComputeDevice

    @property
    def fits(self) -> bool:
        """Whether the device has so much, as far as that is known."""
        return self.device.memory is None or self.bytes < self.device.memory

    @property
    def words(self) -> str:
        """What is needed of what there is."""
        size = written_figure(BYTES, self.bytes)
        where = "this machine" if self.device.kind == "cpu" else self.device.name
        has = "" if self.device.memory is None else f" of the {written_figure(BYTES, self.device.memory)} of {where}"
        return f"its weights take {size}{has}"


def needs_of(facts: CheckpointFacts, dtype: str = "auto", parameters: int | None = None) -> Needs:
    """What it takes to load it in numbers of this kind (see `Checkpoint`), on the device that `auto` means; unless they
    are known, its `parameters` are counted in its files."""
    found = devices()
    device = found[0] if torch_lack() is None else found[-1]  # the processor is last
    parameters = parameters_of(facts) if parameters is None else parameters
    named = dtype if dtype != "auto" else facts.dtype if device.kind == "cpu" else "bfloat16"
    width = _WIDTHS.get(named)
    return Needs(parameters, parameters * width if parameters and width else facts.bytes, device)


def parameters_of(facts: CheckpointFacts) -> int:
    """The numbers in its files of weights, by the tables at their beginnings; 0 where one cannot be read."""
    try:
        shapes = [shape for file in tensors_in(facts.folder) for shape in tensor_shapes(file).values()]
        return sum(math.prod(shape) for shape in shapes)
    except (UserError, TypeError):
        return 0


def parameter_words(count: int) -> str:
    """ "3.75 B", "256 M": parameters as models are named by them."""
    for size, word in _SHORT:
        if count >= size:
            return f"{count / size:.3g} {word}"
    return str(count)


def lacking_libraries(facts: CheckpointFacts) -> str:
    """What has to be installed before it can be loaded, in words; "" where all is there."""
    wanted = (*_LIBRARIES, *(("peft",) if facts.adapts else ()))
    lacking = [name for name in wanted if find_spec(name) is None]
    return f"{' and '.join(lacking)} is not installed: {INSTALL}" if lacking else ""
