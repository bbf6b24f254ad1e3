"""A causal language model out of a folder, asked how likely texts are. transformers does the work; importing it takes
seconds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.models.encoders.torch_encoders import told
from stepscope.models.encoders.transformers_folder import load_model, load_tokenizer, longest_text
from stepscope.models.runtimes.memory import in_memory
from stepscope.models.runtimes.torch_runtime import choose_device

if TYPE_CHECKING:
    import torch
else:
    torch = lazy_module("torch")

Tokens = Sequence[int]
_NUMBERS = 64_000_000
"""Of the logits that are computed at once, a quarter of a gigabyte (ours)."""
_MOST_ROWS = 64
_CLOSE = 1e-2
"""How far logits of a beginning may differ by what follows it, beside the largest: as rounding makes them."""
_ANOTHER = "Choose a model that continues texts: GPT-2, Qwen, Llama."


class CausalModel:
    """Answers do not depend on what is asked about together, but for rounding. `longest` in tokens."""

    def __init__(self, folder: Path, *, sees: bool = False, device: str = "auto") -> None:
        """`sees`: the folder is that of an image-text-to-text model. Raises UnavailableError without the libraries,
        UserError for a folder that cannot be loaded or whose model looks ahead, OutOfMemory."""
        self.folder = folder
        self._device = choose_device(device)
        self._tokenizer = load_tokenizer(folder)
        self._model: Any = in_memory(lambda: self._load(sees), str(self._device), folder)
        inner = self._model.config.get_text_config()
        places = getattr(inner, "max_position_embeddings", None)
        longest = longest_text(self._model, self._tokenizer)
        self.longest: int = min(longest, places) if isinstance(places, int) else longest
        self._size = int(inner.vocab_size)
        self._token = CancelToken()
        if self._looks_ahead():
            raise UserError("looks at what follows, so that no order has a likelihood.", place=folder, hint=_ANOTHER)

    def set_token(self, token: CancelToken) -> None:
        self._token = token

    def start(self) -> list[int]:
        """What a text begins with: the tokenizer's sign for it; none where it has none."""
        first = self._tokenizer.bos_token_id
        return [] if first is None else [int(first)]

    def tokens(self, text: str) -> list[int]:
        """The text's tokens, without any sign for its beginning or end."""
        plain = text.encode("utf-8", "replace").decode()  # half of a surrogate pair is no character
        return [int(one) for one in self._tokenizer(plain, add_special_tokens=False)["input_ids"]]

    def log_likelihoods(self, texts: Sequence[Tokens]) -> NDArray[np.float64]:
        """Of each text, the sum over its tokens but the first of the log of their chance after those before. No text is
        longer than `longest`. Once the token is cancelled, what is left is 0. Raises OutOfMemory."""
        found = np.zeros(len(texts))
        by_length = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        at = len(texts)
        while at > 0 and not self._token.cancelled:  # the longest first: memory runs out at once or never
            longest = max(1, len(texts[by_length[at - 1]]))
            rows = min(_MOST_ROWS, max(1, _NUMBERS // (longest * self._size)))
            places = by_length[max(0, at - rows) : at]
            at -= rows
            part = [texts[place] for place in places]
            found[places] = in_memory(partial(self._summed, part), str(self._device), self.folder)
        return found

    def _summed(self, texts: Sequence[Tokens]) -> NDArray[np.float64]:
        ids = torch.zeros((len(texts), max(2, *map(len, texts))), dtype=torch.long)
        there = torch.zeros_like(ids)
        for row, text in enumerate(texts):
            ids[row, : len(text)] = torch.tensor(text, dtype=torch.long)
            there[row, : len(text)] = 1
        ids, there = ids.to(str(self._device)), there.to(str(self._device))
        logits = self._logits(ids, there)[:, :-1].float()
        chances = logits.gather(2, ids[:, 1:, None]).squeeze(2) - torch.logsumexp(logits, dim=2)
        sums = torch.where(there[:, 1:] > 0, chances, 0.0).double().sum(dim=1)
        return np.asarray(sums.cpu().numpy(), np.float64)

    def _logits(self, ids: Any, there: Any) -> Any:
        """(n, tokens, vocabulary). Padding stands behind, where no token before it sees it."""
        with torch.inference_mode(), told(self.folder, "does not work on a text"):
            return self._model(input_ids=ids, attention_mask=there, use_cache=False).logits

    def _looks_ahead(self) -> bool:
        """Whether what a model says of a beginning hangs on what follows, as in those that fill in gaps."""
        ids = torch.tensor([[1, 2, 3], [1, 2, 4]], device=str(self._device)) % self._size
        first, second = self._logits(ids, torch.ones_like(ids))[:, :2].float()
        return bool((first - second).abs().max() > _CLOSE * first.abs().max().clamp(min=1))

    def _load(self, sees: bool) -> Any:
        kind = "AutoModelForImageTextToText" if sees else "AutoModelForCausalLM"
        model, _whole = load_model(self.folder, kind, "float32" if self._device.kind == "cpu" else "auto")
        if getattr(model.config, "is_encoder_decoder", False):
            raise UserError("has an encoder of its own for what is read.", place=self.folder, hint=_ANOTHER)
        return model.to(str(self._device)).eval()
