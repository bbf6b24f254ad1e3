"""What lies at a path: which family of encoders its weights belong to, told by names, headers and configs.

Each function looks for one kind of file and gives None where it is another. Pickles are read by torch with
`weights_only`; nothing else is read further than its first bytes.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.regular_files import is_file
from stepscope.models.encoders.folders import CONFIG, PROCESSOR, config_of, tokenizer_files

if TYPE_CHECKING:
    from stepscope.models.runtimes import weights
else:
    weights = lazy_module("stepscope.models.runtimes.weights")

_FASTTEXT_MAGIC = 793_712_314
"""The first four bytes of fastText's own files, a number (fasttext.cc, released code)."""
_WORDS_TAKEN = 16_384
"""Bytes of a text file that are looked at: a line of 300 numbers has less than 4,000."""
_LEAST_NUMBERS = 10
_SAFETENSORS, _METADATA = ".safetensors", "__metadata__"
_TENSORS = (_SAFETENSORS, ".pt", ".pth", ".bin")
ICONS, SCREEN2VEC = "icons.safetensors", "screen2vec.safetensors"
"""What files of our own trainings are called in the folder that they were written into."""
_CLIP_CONFIG = "open_clip_config.json"
_JOINT = ("clip", "siglip", "siglip2", "align", "altclip", "chinese_clip")
"""Types of transformers that have texts and pictures in one space."""


@dataclass(frozen=True, slots=True)
class Guess:
    """What something was taken for, in words, and the length of its vectors (0: only loading tells)."""

    words: str
    size: int = 0


Recogniser = Callable[[Path], Guess | None]


def open_clip_folder(path: Path) -> Guess | None:
    """A folder of open_clip."""
    if not (path / _CLIP_CONFIG).is_file():
        return None
    model = config_of(path, _CLIP_CONFIG).get("model_cfg")
    size = model.get("embed_dim") if isinstance(model, dict) else 0
    return Guess(f"a model of open_clip ({_CLIP_CONFIG})", _number(size))


def open_clip_file(path: Path) -> Guess | None:
    """A file with the weights of both parts of a CLIP model."""
    shapes = tensor_shapes(path)
    names = {name.removeprefix("module.") for name in shapes}
    is_clip = any(one.startswith("visual.") for one in names) and "logit_scale" in names
    return Guess("weights of a CLIP model of open_clip, whose architecture the file does not tell") if is_clip else None


def clip(path: Path) -> Guess | None:
    """A model of open_clip, in a folder or in a file."""
    return open_clip_folder(path) if path.is_dir() else open_clip_file(path)


def transformers_joint(path: Path) -> Guess | None:
    """A folder of transformers with texts and pictures in one space."""
    kind, config = _transformers(path)
    if kind not in _JOINT:
        return None
    text = config.get("text_config")
    inner = text.get("projection_size") or text.get("hidden_size") if isinstance(text, dict) else 0
    return Guess(f"texts and pictures of transformers ({kind})", _number(config.get("projection_dim") or inner))


def transformers_image(path: Path) -> Guess | None:
    """A folder of transformers with an image processor and no tokenizer."""
    kind, config = _transformers(path)
    if not kind or kind in _JOINT or tokenizer_files(path):
        return None
    if not any((path / name).is_file() for name in (PROCESSOR, "processor_config.json")):
        return None
    sizes = config.get("hidden_sizes")
    size = sizes[-1] if isinstance(sizes, list) and sizes else config.get("hidden_size")
    return Guess(f"pictures of transformers ({kind})", _number(size))


def transformers_text(path: Path) -> Guess | None:
    """A folder of transformers with a tokenizer."""
    kind, config = _transformers(path)
    if not kind or kind in _JOINT or not tokenizer_files(path):
        return None
    size = config.get("hidden_size") or config.get("d_model") or config.get("n_embd") or config.get("dim")
    return Guess(f"texts of transformers ({kind})", _number(size))


def resnet(depth: int) -> Recogniser:
    """For a file with the weights of torchvision's ResNet of so many layers."""

    def recognise(path: Path) -> Guess | None:
        from stepscope.models.encoders.resnet import SIZES, depth_of

        found = depth_of(tensor_shapes(path))
        return Guess(f"weights of torchvision's ResNet-{depth}", SIZES[depth]) if found == depth else None

    return recognise


def icons(path: Path) -> Guess | None:
    """The icon classifier that was trained here."""
    told = _metadata(path, ICONS).get("stepscope.icons")
    return None if told is None else Guess("an icon classifier that Stepscope trained", 128)


def screen2vec(path: Path) -> Guess | None:
    """Screen2Vec that was trained here."""
    told = _metadata(path, SCREEN2VEC).get("stepscope.screen2vec")
    if told is None:
        return None
    try:
        size = _number(json.loads(told)["text_size"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise weights.damaged(path, error) from error
    return Guess("Screen2Vec that Stepscope trained", size)


def fasttext(path: Path) -> Guess | None:
    """fastText's own file, or its vectors as text: a first line of two numbers, then a word and its numbers a line."""
    if not is_file(path):
        return None
    with weights.open_weights(path) as stream:
        start = stream.read(12)
    if len(start) == 12 and struct.unpack_from("<i", start)[0] == _FASTTEXT_MAGIC:
        return Guess("word vectors of fastText (.bin)", _number(struct.unpack_from("<i", start, 8)[0]))
    lines = _first_lines(path)
    counts = lines[0].split() if lines else []
    if len(counts) != 2 or not all(one.isdecimal() for one in counts) or len(lines) < 2:
        return None
    size = int(counts[1][:9])
    return Guess("word vectors of fastText (.vec)", _number(size)) if _numbers(lines[1]) == size else None


def glove(path: Path) -> Guess | None:
    """GloVe's text: a word and its numbers a line, as many in the second as in the first."""
    lines = _first_lines(path)
    if len(lines) < 2 or _numbers(lines[0]) < _LEAST_NUMBERS or _numbers(lines[0]) != _numbers(lines[1]):
        return None
    return Guess("word vectors of GloVe", _numbers(lines[0]))


def region_features(path: Path) -> Guess | None:
    """A detector's regions of pictures, a line each."""
    if not is_file(path) or path.suffix != ".tsv":
        return None
    from stepscope.models.features.region_file import looks_like_one

    size = looks_like_one(path)
    return Guess("regions of pictures that a detector found", _number(size)) if size else None


def tensor_shapes(path: Path) -> Mapping[str, tuple[int, ...]]:
    """The tensors in a file by name; none in what is no file of them. Raises UserError naming the file."""
    if not is_file(path) or path.suffix not in _TENSORS or _is_fasttext(path):
        return {}
    if path.suffix != _SAFETENSORS:
        state = path.stat()
        return _shapes_in_pickle(path, state.st_size, state.st_mtime_ns)
    try:
        return {name: tuple(one["shape"]) for name, one in _header(path).items() if name != _METADATA}
    except (TypeError, KeyError) as error:
        raise weights.damaged(path, error) from error


def _metadata(path: Path, name: str) -> Mapping[str, Any]:
    """What a safetensors file, or the one of this name in a folder, says of itself beside its tensors."""
    file = path / name if path.is_dir() else path
    found = _header(file).get(_METADATA) if is_file(file) and file.suffix == _SAFETENSORS else None
    return found if isinstance(found, dict) else {}


def _header(file: Path) -> Mapping[str, Any]:
    """The table at the beginning of a safetensors file. Raises UserError naming the file."""
    weights.check_weights(file)
    try:
        with weights.open_weights(file) as stream:
            found = json.loads(stream.read(struct.unpack("<Q", stream.read(8))[0]))
    except (OSError, ValueError, RecursionError, struct.error) as error:
        raise weights.damaged(file, error) from error
    if not isinstance(found, dict):
        raise weights.damaged_by(file, "its header is no table")
    return found


@lru_cache(maxsize=1)
def _shapes_in_pickle(path: Path, _size: int, _changed: int) -> Mapping[str, tuple[int, ...]]:
    """Kept for the last file, which several families ask about: it has to be read whole."""
    return {name: tuple(one.shape) for name, one in weights.read_state(path).items()}


def _transformers(path: Path) -> tuple[str, dict[str, Any]]:
    """The type that a folder's config names, and the config; "" for what is no folder of transformers."""
    if not path.is_dir() or not (path / CONFIG).is_file():
        return "", {}
    config = config_of(path)
    kind = config.get("model_type")
    if not isinstance(kind, str) or not kind.isprintable() or len(kind) > 60:
        raise UserError("does not say which model it describes (model_type).", place=path / CONFIG)
    return kind, config


def _is_fasttext(path: Path) -> bool:
    with weights.open_weights(path) as stream:
        return stream.read(4) == struct.pack("<i", _FASTTEXT_MAGIC)


def _first_lines(path: Path) -> list[str]:
    """The whole ones of the first lines of a text file; none of what is no text."""
    if not is_file(path):
        return []
    with weights.open_weights(path) as stream:
        data = stream.read(_WORDS_TAKEN)
    if b"\0" in data:
        return []
    whole = data.rpartition(b"\n")[0] if len(data) == _WORDS_TAKEN else data
    return whole.decode("utf-8", "replace").splitlines()


def _numbers(line: str) -> int:
    """How many numbers stand behind a line's first word; 0 where anything else does."""
    rest = line.split(" ")[1:]
    try:
        return len([float(one) for one in rest if one])
    except ValueError:
        return 0


def _number(value: object) -> int:
    return value if type(value) is int and 0 < value < 1 << 20 else 0
