"""A folder in the layout of transformers, with a head that classifies sequences or pictures: what its files tell, and
the network in it.

Weights are read from safetensors only, nothing is fetched, and no code of the folder's or of a hub's is run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stepscope.core.errors import OutOfMemory, UnavailableError, UserError
from stepscope.core.frozen import dataclass
from stepscope.core.own_files import read_json
from stepscope.models.own.refusals import no_model, pickled
from stepscope.models.runtimes.memory import in_memory
from stepscope.models.runtimes.runtime import TensorFact
from stepscope.models.runtimes.torch_runtime import TorchRuntime
from stepscope.models.runtimes.weights import check_weights, damaged

if TYPE_CHECKING:
    import torch

CONFIG, TOKENIZER, PREPROCESSOR = "config.json", "tokenizer.json", "preprocessor_config.json"
LOGITS = "logits"
_WEIGHTS, _INDEX = "model.safetensors", "model.safetensors.index.json"
_PICKLED = (".bin", ".pt", ".pth", ".pkl", ".ckpt")
_MOST_LABELS = 1000
_LOADERS = {
    "ForSequenceClassification": "AutoModelForSequenceClassification",
    "ForImageClassification": "AutoModelForImageClassification",
}
_HINT = "Choose another folder, or fetch this one again."


@dataclass(frozen=True, slots=True)
class FolderFacts:
    """`architecture` as its config names it, `loader` the class of transformers that makes it. `labels` in the order of
    the classes, `takes` the names of inputs. `config` and `preprocessor` are those files' tables, the latter empty
    where there is none."""

    folder: Path
    architecture: str
    loader: str
    labels: tuple[str, ...]
    takes: tuple[str, ...]
    config: Mapping[str, Any] = field(repr=False)
    preprocessor: Mapping[str, Any] = field(repr=False)

    @property
    def is_text(self) -> bool:
        return self.loader == _LOADERS["ForSequenceClassification"]

    @property
    def files(self) -> tuple[Path, ...]:
        """What its answers hang on, in the order of the names."""
        named = (CONFIG, TOKENIZER, PREPROCESSOR)
        weights = self.folder.glob("*.safetensors")
        return tuple(sorted((*weights, *(self.folder / one for one in named if (self.folder / one).is_file()))))


def look(folder: Path) -> FolderFacts:
    """What the folder tells. Raises UserError naming folder or file: pickles, code, another kind of network."""
    if not (folder / CONFIG).is_file():
        raise no_model(folder)
    config = _table(folder / CONFIG)
    if "auto_map" in config or "quantization_config" in config:
        words = "asks for code of its own" if "auto_map" in config else "has packed weights that other packages unpack"
        raise UserError(f"{words}, which is not run.", place=folder / CONFIG, hint="Export the network to ONNX.")
    architectures = config.get("architectures")
    name = architectures[0] if isinstance(architectures, list) and architectures else ""
    loader = next((one for end, one in _LOADERS.items() if isinstance(name, str) and name.endswith(end)), "")
    if not loader or not name.isidentifier():
        raise UserError(
            f"its architecture is {str(name)[:80] or 'not named'}, which gives no classes.",
            place=folder / CONFIG,
            hint="Sequence and image classification can be added; export others to ONNX.",
        )
    if not (folder / _WEIGHTS).is_file() and not (folder / _INDEX).is_file():
        for one in sorted(folder.iterdir()):
            if one.suffix in _PICKLED:
                raise pickled(one)
        raise UserError(f"has no {_WEIGHTS}: perhaps half a download.", place=folder, hint=_HINT)
    preprocessor = _table(folder / PREPROCESSOR) if (folder / PREPROCESSOR).is_file() else {}
    text = loader == _LOADERS["ForSequenceClassification"]
    types = ("token_type_ids",) if text and int_in(config, "type_vocab_size", 0, 1000, 0) > 1 else ()
    takes = ("input_ids", "attention_mask", *types) if text else ("pixel_values",)
    return FolderFacts(folder, name, loader, _labels(config), takes, config, preprocessor)


def load(
    facts: FolderFacts, names: tuple[str, ...], *, weights: str, preparation: str, device: str, precision: str
) -> TorchRuntime:
    """The network, which takes arrays in the order of `names` and gives logits. Raises UserError naming the folder
    where its weights are not those of its config, UnavailableError without transformers, OutOfMemory."""
    for file in facts.files:
        if file.suffix == ".safetensors":
            check_weights(file)
    module = in_memory(partial(_loaded, facts), "loading it", facts.folder)
    return TorchRuntime(_named(module, names), weights=weights, preparation=preparation, device=device, dtype=precision)


def gives(facts: FolderFacts) -> tuple[TensorFact, ...]:
    """Its one output."""
    return (TensorFact(LOGITS, "float32", (None, len(facts.labels) or None)),)


def int_in(form: Mapping[str, Any], name: str, low: int, high: int, usual: int) -> int:
    """A whole number of a config, the usual one where it has none that can be."""
    found = form.get(name)
    return found if type(found) is int and low <= found <= high else usual


def _loaded(facts: FolderFacts) -> Any:
    try:
        import transformers
    except ImportError as error:
        hint = "Install it with pip install 'stepscope[models]'."
        raise UnavailableError(f"transformers folders need the package {error.name}.", hint=hint) from error
    loader = getattr(transformers, facts.loader)
    logging: Any = transformers.logging
    told, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        module, loaded = loader.from_pretrained(
            str(facts.folder.resolve()),
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=True,
            output_loading_info=True,
            attn_implementation="eager",  # another one may be named in the config, and fetched
            dtype="float32",
        )
    except (MemoryError, OutOfMemory):
        raise
    except Exception as error:
        raise damaged(facts.folder, error) from error
    finally:
        logging.set_verbosity(told)
        if bars:
            logging.enable_progress_bar()
    lacking = sorted(map(str, loaded.get("missing_keys", ()))) + sorted(map(str, loaded.get("mismatched_keys", ())))
    if lacking:
        raise UserError(
            f"its weights are not those of {facts.architecture}: {lacking[0][:100]} is missing or of another shape.",
            place=facts.folder,
            hint=_HINT,
        )
    return module


def _named(module: Any, names: tuple[str, ...]) -> torch.nn.Module:
    """The network with its inputs in a row, and its logits alone."""
    import torch

    class InRow(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = module

        def forward(self, *given: torch.Tensor) -> torch.Tensor:
            found: torch.Tensor = self.inner(**dict(zip(names, given, strict=True))).logits
            return found

    return InRow()


def _labels(config: Mapping[str, Any]) -> tuple[str, ...]:
    told = config.get("id2label")
    if isinstance(told, dict) and 0 < len(told) <= _MOST_LABELS:
        found = [told.get(str(place)) for place in range(len(told))]
        if all(isinstance(one, str) for one in found) and len(set(found)) == len(found):
            return tuple(map(str, found))
    count = int_in(config, "num_labels", 1, _MOST_LABELS, 0 if told else 2)
    return tuple(f"LABEL_{place}" for place in range(count))


def _table(file: Path) -> Mapping[str, Any]:
    try:
        found = read_json(file)
    except (OSError, ValueError) as error:
        raise UserError(f"cannot be read: {str(error)[:200]}.", place=file, hint=_HINT) from error
    if not isinstance(found, dict):
        raise UserError("is no table.", place=file, hint=_HINT)
    return found
