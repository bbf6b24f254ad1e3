"""Models of the library transformers out of local folders: loaded whole, without code of the folder's own, and what the
families of encoders made of them have in common.

Weights are safetensors; nothing is downloaded, whatever the folder names.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from stepscope.core.errors import UnavailableError, UserError
from stepscope.core.imaging.parts import Pixels
from stepscope.core.lazy import lazy_module
from stepscope.models.encoders.folders import CONFIG, TOKENIZER, config_of, refuse_code, tensors_in
from stepscope.models.encoders.preparation import less_narrow
from stepscope.models.encoders.tokenizer_file import tokenizer_text
from stepscope.models.encoders.torch_encoders import TokenBatch, told
from stepscope.models.runtimes.torch_runtime import TorchRuntime
from stepscope.models.runtimes.weight_digest import digest_of_files
from stepscope.models.runtimes.weights import check_weights

if TYPE_CHECKING:
    import transformers
else:
    transformers = lazy_module("transformers")

_INSTALL = "Install it with pip install 'stepscope[models]'."
_LONGEST = 32_768
"""Tokens that a model of texts may say it takes; the longest public ones take so many."""
_UNTRAINED = ("pooler.",)
"""Parts that files of weights often lack, since the training that they came from had no use for them."""


def check(folder: Path) -> None:
    """Raises UserError for a folder that holds no model of transformers, code of its own, or pickled weights only."""
    if not config_of(folder):
        raise UserError(f"has no {CONFIG}.", place=folder, hint="Choose the folder of a model of transformers.")
    refuse_code(folder)
    for file in tensors_in(folder):
        check_weights(file)


def load_model(folder: Path, kind: str = "AutoModel", dtype: str = "float32") -> tuple[Any, bool]:
    """The model as the library's class `kind` loads it, in numbers of `dtype` ("auto": those of its files), and whether
    all of its weights were in the files: where only those of its pooler were not, they are random, and what it gives
    must not be used.

    Raises UnavailableError without transformers, UserError for what `check` refuses, for weights of another network and
    for files that lack any.
    """
    check(folder)
    _needed()
    with quiet(), told(folder, "cannot be loaded as a model of transformers"):
        model, found = getattr(transformers, kind).from_pretrained(
            folder,
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=True,
            attn_implementation="eager",  # else the config may name one that would be fetched
            dtype=dtype,
            ignore_mismatched_sizes=True,  # they are told below, in words
            output_loading_info=True,
        )
    missing = sorted(found["missing_keys"])
    lacking = [name for name in missing if not name.startswith(_UNTRAINED)]
    if wrong := sorted(str(one) for one in (*lacking, *found["mismatched_keys"])):
        why = f"its weights are not those of the network that {CONFIG} describes: {wrong[0][:80]} is not among them"
        raise UserError(f"{why}, or has another shape.", place=folder, hint="Choose another folder.")
    return model, not missing


def load_tokenizer(folder: Path) -> Any:
    """The folder's tokenizer. Raises UserError where there is none or it cannot be loaded."""
    _needed()
    if (folder / TOKENIZER).exists():
        tokenizer_text(folder / TOKENIZER)
    with quiet(), told(folder, "its tokenizer cannot be loaded"):
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token or tokenizer.unk_token
    if tokenizer.pad_token is None:
        raise UserError("its tokenizer has no sign to pad with.", place=folder, hint="Give it a pad_token.")
    return tokenizer


def longest_text(model: Any, tokenizer: Any) -> int:
    """Tokens that the model takes, the special ones with them: as the tokenizer says, and no more than there are places
    in its table of positions, of which those up to its padding are not used (RoBERTa)."""
    most = min(int(tokenizer.model_max_length), _LONGEST)
    for name, module in model.named_modules():
        if name.endswith(("position_embeddings", "position_embedding", "wpe")) and hasattr(module, "num_embeddings"):
            unused = 0 if module.padding_idx is None else module.padding_idx + 1
            most = min(most, int(module.num_embeddings) - unused)
    return most


def tokens_of(
    tokenizer: Any, most: int, inputs: Sequence[str], *, lower: bool = False, padded: bool = False
) -> Callable[[Sequence[str]], TokenBatch]:
    """How texts become the network's `inputs`, cut at `most` tokens; `padded`: always to that length."""

    def tokens(texts: Sequence[str]) -> TokenBatch:
        found = tokenizer(
            [text.lower() for text in texts] if lower else list(texts),
            padding="max_length" if padded else True,
            truncation=True,
            max_length=most,
            padding_side="right",
            return_attention_mask=True,
            return_tensors="np",
        )
        arrays = tuple(np.asarray(found[name], dtype=np.int64) for name in inputs)
        return TokenBatch(arrays, np.asarray(found["attention_mask"], dtype=np.bool_))

    return tokens


def load_processor(folder: Path) -> Any:
    """The folder's image processor. Raises UserError where there is none, or where it gives pictures of several
    sizes, which cannot be computed together."""
    _needed()
    with quiet(), told(folder, "its image processor cannot be loaded"):
        kind: Any = transformers.AutoImageProcessor
        processor = kind.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
        prepare = prepared_by(processor, folder)
        shapes = {prepare(np.zeros(shape, np.uint8)).shape for shape in ((96, 48, 3), (48, 96, 3))}
    if len(shapes) > 1:
        raise UserError("gives pictures of several sizes, which is not supported.", place=folder)
    return processor


def prepared_by(processor: Any, folder: Path) -> Callable[[Pixels], Pixels]:
    """The picture as the processor resizes and cuts it, height × width × 3 bytes; what it does to the numbers then is
    part of the network (`scaled`)."""

    by_short_side = "shortest_edge" in (getattr(processor, "size", None) or {})

    def prepare(pixels: Pixels) -> Pixels:
        part = less_narrow(pixels) if by_short_side else pixels
        writable = np.require(part, requirements=["C", "W"])  # torch wants it so, though it writes nothing
        found = processor(writable, do_rescale=False, do_normalize=False, input_data_format="channels_last",
                          return_tensors="np")["pixel_values"][0]  # fmt: skip
        if found.ndim != 3 or found.shape[0] != 3:
            raise UserError("its image processor gives no picture of three colours.", place=folder)
        whole: Pixels = np.clip(np.rint(found), 0, 255).astype(np.uint8)
        return np.ascontiguousarray(whole.transpose(1, 2, 0))

    return prepare


def scaled(processor: Any, folder: Path) -> tuple[tuple[float, ...], tuple[float, ...], float]:
    """Mean, spread and factor by which the processor makes numbers of bytes. Raises UserError for what is no number."""
    with told(folder, "its image processor does not say how bytes become numbers"):
        factor = float(processor.rescale_factor) if getattr(processor, "do_rescale", True) else 1.0
        if not getattr(processor, "do_normalize", True):
            return (0.0,) * 3, (1.0,) * 3, factor
        mean = tuple(float(one) for one in processor.image_mean)
        std = tuple(float(one) for one in processor.image_std)
        if len(mean) != 3 or len(std) != 3 or not all(std):
            raise ValueError("it wants three numbers of mean and spread")
        return mean, std, factor


def runtime_of(network: Any, files: Sequence[Path], device: str) -> TorchRuntime:
    """The network in torch on a device."""
    return TorchRuntime(network, weights=digest_of_files(files), preparation=library(), device=device)


def library() -> str:
    """The library and its version, which prepares texts and pictures."""
    return f"transformers {transformers.__version__}"


@contextmanager
def quiet() -> Iterator[None]:
    """Keeps the library from telling its progress, which it does on stderr, and what it warns its callers of that will
    be named otherwise some day."""
    log: Any = transformers.utils.logging
    level, bar = log.get_verbosity(), log.is_progress_bar_enabled()
    log.set_verbosity(log.CRITICAL)
    log.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            yield
    finally:
        log.set_verbosity(level)
        if bar:
            log.enable_progress_bar()


def _needed() -> None:
    try:
        import transformers  # noqa: F401
    except ImportError as error:
        raise UnavailableError(f"these encoders need the package {error.name}.", hint=_INSTALL) from error
