"""Screen2Vec (Li et al. 2021) as an encoder of UI trees; `screen2vec_training` trains one, and says what is simplified.
It sees texts, classes, places and layout, no pixels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from stepscope.core.domain.episode import Observation
from stepscope.core.errors import UsageError, UserError
from stepscope.models.encoders.encoder import TextEncoder
from stepscope.models.encoders.own_weights import fill, read_weights, told_by
from stepscope.models.encoders.screen2vec_batches import batch_of, text_vectors
from stepscope.models.encoders.screen2vec_inputs import Vector, components_of
from stepscope.models.runtimes.torch_runtime import TorchRuntime, choose_device

if TYPE_CHECKING:
    from torch import Tensor

FILE_NAME, KEY, VERSION = "screen2vec.safetensors", "stepscope.screen2vec", 1
OUTPUTS = ("pooled",)
_MOST_NUMBERS = 16_384
"""Of a text's vector, and of a layer of the layout's."""
_BATCH = 32


class Screen2Vec:
    """A loaded network; see `TreeEncoder`. Its vectors are as long as the text encoder's."""

    def __init__(self, texts: TextEncoder, runtime: TorchRuntime, fingerprint: str) -> None:
        self.size = texts.size
        self.fingerprint = fingerprint
        self.computed_by = "; ".join(dict.fromkeys((texts.computed_by, runtime.computed_by)))
        self._texts, self._runtime = texts, runtime

    def embed(self, observations: Sequence[Observation]) -> list[Vector]:
        """(size,) a screen; zeros for one of which nothing can be seen (the released code draws a vector: not
        repeated)."""
        found: list[Vector] = []
        for at in range(0, len(observations), _BATCH):
            screens = [components_of(one) for one in observations[at : at + _BATCH]]
            batch = batch_of(screens, text_vectors(self._texts, screens), self.size)
            inputs = (batch.texts, batch.classes, batch.places, batch.lengths, batch.layouts)
            (vectors,) = self._runtime.run(*inputs)
            shown = np.array([bool(len(one)) for one in screens], np.float32)
            found += list(vectors * shown[:, None])
        return found


def load(path: Path, *, device: str = "auto", output: str = "pooled", texts: TextEncoder | None = None) -> Screen2Vec:
    """The network in a file that `train_screen2vec` wrote, or in the folder that it wrote into, over the text encoder
    that it was trained with (None: the usual sentence model).

    Raises UnavailableError without torch or the text encoder, UsageError for another output or device than there is,
    UserError naming the file where it is damaged, of other things, or was trained with another text encoder.
    """
    if output not in OUTPUTS:
        raise UsageError(f"Screen2Vec has no output {output!r}.", hint=f"It has {', '.join(OUTPUTS)}.")
    choose_device(device)  # told before anything is read
    from stepscope.models.encoders.screen2vec_network import Screen2VecNetwork

    weights = read_weights(path, FILE_NAME, KEY, VERSION)
    with told_by(weights.file):
        text_size, widths, wanted = _told(weights.config, weights.state)
    texts = texts or _usual_texts(device)
    if texts.fingerprint != wanted or texts.size != text_size:
        why = f"was trained with another text encoder: {wanted[:100]}."
        raise UserError(why, place=weights.file, hint="Choose that encoder, or train it again.")
    network = Screen2VecNetwork(text_size, widths)
    fill(network, weights)
    runtime = TorchRuntime(network, weights=weights.sha256, preparation=str(VERSION), device=device)
    return Screen2Vec(texts, runtime, f"Screen2Vec {VERSION}, sha256 {weights.sha256}, over {texts.fingerprint}")


def _usual_texts(device: str) -> TextEncoder:
    from stepscope.models.encoders import sentences

    return cast("TextEncoder", sentences.load(device=device))  # an array is a sequence of its rows


def _told(config: Mapping[str, Any], state: Mapping[str, Tensor]) -> tuple[int, tuple[int, int], str]:
    """Numbers of a text, widths of the layout's layers, fingerprint of the text encoder; the sizes are compared with
    the tensors, so that no file asks for more memory than it has itself. Raises what `told_by` tells."""
    text_size, widths, wanted = config["text_size"], config["layout_widths"], config["texts"]
    wide, narrow = widths
    if not all(type(one) is int and 0 < one <= _MOST_NUMBERS for one in (text_size, wide, narrow)):
        raise ValueError("its layers have sizes that no network has")
    for name, shape in (("component", text_size), ("layout.0", wide), ("layout.2", narrow)):
        if state[f"{name}.weight"].shape[:1] != (shape,):
            raise ValueError("its tensors are of other sizes")
    if not isinstance(wanted, str):
        raise ValueError("it names no text encoder")
    return text_size, (wide, narrow), wanted
