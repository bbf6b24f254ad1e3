"""What an encoder is, which makes vectors of texts or of pictures, and what is known of it before it is loaded.

Vectors are float32. An encoder gives one row of `size` numbers for each thing it is asked about, or, where `sequence`
is true, a matrix (n, size) with a row for each token or each place of a picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, Protocol

from stepscope.core.frozen import dataclass

if TYPE_CHECKING:
    from stepscope.core.domain.episode import Observation
    from stepscope.core.imaging.parts import Pixels
    from stepscope.models.features.cache import Vector


class EncoderKind(StrEnum):
    """What an encoder makes vectors of; a joint one of texts and pictures, into one space; one of regions gives
    several vectors of a picture, each of a place in it (`models.features.regions`)."""

    TEXT = "text"
    IMAGE = "image"
    JOINT = "joint"
    ICON = "icon"
    TREE = "tree"
    REGIONS = "regions"


class TextEncoder(Protocol):
    """Texts to vectors. Threads may share it. `fingerprint` tells the weights and what is done before and after them;
    `computed_by` the runtime, its version and the kind of device, which move a vector in its last digits."""

    @property
    def fingerprint(self) -> str: ...

    @property
    def computed_by(self) -> str: ...

    @property
    def size(self) -> int: ...

    @property
    def sequence(self) -> bool: ...

    def embed(self, texts: Sequence[str]) -> Sequence[Vector] | Vector:
        """One entry a text, in order: (size,), or (tokens, size) of a sequence; one array has them as its rows. Raises
        OutOfMemory."""
        ...


class ViewEncoder(Protocol):
    """Pictures to vectors. `prepared` may be called from any thread, `embed` from one at a time. `fingerprint` and
    `computed_by` as those of `TextEncoder`."""

    @property
    def fingerprint(self) -> str: ...

    @property
    def computed_by(self) -> str: ...

    @property
    def size(self) -> int: ...

    @property
    def sequence(self) -> bool: ...

    def prepared(self, pixels: Pixels) -> Pixels:
        """The picture as the network takes it, in bytes, RGB."""
        ...

    def embed(self, prepared: Sequence[Pixels]) -> Sequence[Vector] | Vector:
        """One entry a picture, in order: (size,), or (places, size) of a sequence; one array has them as its rows.
        Raises OutOfMemory."""
        ...


class TreeEncoder(Protocol):
    """UI trees to vectors. `embed` is called from one thread at a time. `fingerprint` and `computed_by` as those of
    `TextEncoder`."""

    @property
    def fingerprint(self) -> str: ...

    @property
    def computed_by(self) -> str: ...

    @property
    def size(self) -> int: ...

    def embed(self, observations: Sequence[Observation]) -> Sequence[Vector]:
        """(size,) a screen, in order; zeros for one without a tree. Raises OutOfMemory."""
        ...


@dataclass(frozen=True, slots=True)
class EncoderInfo:
    """An encoder as it is listed, without being loaded.

    `outputs` are what may be asked of it, the usual one first: NAME is the usual one, NAME:OUTPUT another. `size` is
    the length of the usual one's vectors, 0 where only its files tell. `weights_from` says where the weights come from,
    or, where they are `absent`, what to do to have them. `bytes` and `sha256` are of the file or files, 0 and ""
    where they are not here.
    """

    name: str
    title: str
    kind: EncoderKind
    size: int
    licence: str
    weights_from: str
    weights: Literal["present", "absent"] = "present"
    outputs: tuple[str, ...] = ("pooled",)
    devices: tuple[str, ...] = ("cpu", "cuda")
    bytes: int = 0
    sha256: str = ""
    added: bool = False
    """Whether a person added it; the others come with Stepscope or with a package."""

    @property
    def reads_texts(self) -> bool:
        return self.kind in (EncoderKind.TEXT, EncoderKind.JOINT)

    @property
    def gives_regions(self) -> bool:
        return self.kind is EncoderKind.REGIONS

    @property
    def reads_pictures(self) -> bool:
        return self.kind in (EncoderKind.IMAGE, EncoderKind.JOINT, EncoderKind.ICON)
