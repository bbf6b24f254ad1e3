"""What MoTIF's feasibility classifier reads of an episode, by the encoders that its name says.

Source: MoTIF, section 4.1 (paper): the view hierarchy's texts, ids and class labels, each as the mean of its tokens'
vectors; ResNet-152 over ten crops; CLIP of the whole screen; the mean over a screen's icons; Screen2Vec. The command is
always read. Ours: the three kinds of tokens are told apart, where the released code takes one mean over all of them;
every vector is brought to length 1 before means are taken; a sentence is one text of the encoder (of word vectors that
is the mean over its words); a screen without something has zeros for it, where the code draws icons' numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from stepscope.core.domain.episode import Observation, Picture, Platform
from stepscope.core.domain.geometry import Box
from stepscope.core.errors import UnavailableError, UsageError
from stepscope.core.evaluation.prediction_cache import request_key
from stepscope.core.evaluation.predictor import EpisodeRequest
from stepscope.core.frozen import dataclass
from stepscope.models.encoders import added, registry
from stepscope.models.encoders.encoder import EncoderKind, TreeEncoder
from stepscope.models.encoders.families import FAMILIES
from stepscope.models.encoders.icon_samples import is_icon
from stepscope.models.feasibility.classifier_name import STEPS, TREE_TEXTS, Classifier, ClassifierTerm
from stepscope.models.features.cache import FeatureCache, Vector
from stepscope.models.features.element_tokens import element_tokens
from stepscope.models.features.screens import shortened, state_texts
from stepscope.models.features.vectors import Features, ImageView, Vectors, feature_cache
from stepscope.models.learned.encoder_choice import EncoderNames
from stepscope.models.learned.recipe import Example, PreparedRequest

LANGUAGES = ("goal", "instruction", "both")
"""What the command is: the goal, the steps' instructions, or both, each counting a half (ours)."""
MOST_ICONS = 57
"""Icons of a screen that are looked at (MoTIF, released code)."""
_USUAL = {EncoderKind.IMAGE: ("screen",), EncoderKind.ICON: ("icons",), EncoderKind.TREE: ("tree",)}
"""What an encoder of a kind reads where nothing is said."""
_READS = {
    EncoderKind.TEXT: (*TREE_TEXTS, "command"),
    EncoderKind.JOINT: ("screen", *TREE_TEXTS, "command"),
    EncoderKind.IMAGE: ("screen",),
    EncoderKind.ICON: ("icons",),
    EncoderKind.TREE: ("tree",),
}
_FAMILIES: Mapping[str, tuple[tuple[str, ...], str]] = {
    "clip": (("clip", "transformers-joint"), ""),
    "fasttext": (("fasttext",), ""),
    "glove": (("glove",), ""),
    "resnet": (("resnet-152",), "ten-crop"),
    "icons": (("icons",), ""),
    "screen2vec": (("screen2vec",), ""),
}
"""Words that stand for the first encoder that was added of one of these families, and the output that is asked for."""
_MARK = "\x1f"
"""Between an encoder's name and what it is asked about."""


def resolved(classifier: Classifier) -> Classifier:
    """The classifier with encoders that are here by their own names, each with what it reads, and with what reads the
    command. Raises UnavailableError saying what is missing and how to add it, UsageError for what an encoder cannot
    read and for a name that there is not."""
    terms = [_resolved(term) for term in classifier.terms]
    if not any("command" in term.parts for term in terms):
        reader = next((at for at, term in enumerate(terms) if _kind(term) in (EncoderKind.TEXT, EncoderKind.JOINT)), -1)
        if reader < 0:
            terms.append(ClassifierTerm(registry.TEXTS, ("command",)))
        else:
            terms[reader] = replace(terms[reader], parts=(*terms[reader].parts, "command"))
    return replace(classifier, terms=tuple(terms))


def encoder_names(classifier: Classifier) -> EncoderNames:
    """The encoders of a resolved classifier as a card has them: those that read texts, those that look at screens."""
    texts = dict.fromkeys(one.reference for one in classifier.terms if set(one.parts) & {*TREE_TEXTS, "command"})
    views = dict.fromkeys(one.reference for one in classifier.terms if set(one.parts) & {"screen", "icons", "tree"})
    return EncoderNames("+".join(texts), "+".join(views))


def _resolved(term: ClassifierTerm) -> ClassifierTerm:
    own = {one.name for one in added.load()} | set(registry.OWN)
    if term.encoder not in own and term.encoder.lower() in _FAMILIES:
        families, output = _FAMILIES[term.encoder.lower()]
        one = next((one for one in added.load() if one.family in families), None)
        if one is None:
            raise UnavailableError(
                f"No encoder of {FAMILIES[families[0]].title} is here, which {term} needs.",
                hint="Add its weights: stepscope weights add PATH. Or name others, such as minilm(et,id).",
            )
        term = replace(term, encoder=one.name, output=term.output or output)
    info = registry.encoder_info(term.encoder)
    if info.weights == "absent":
        raise UnavailableError(f"{info.name} cannot be used: {info.weights_from}")
    if term.output and term.output not in info.outputs:
        raise UsageError(f"{info.name} has no output {term.output!r}.", hint=f"It has {', '.join(info.outputs)}.")
    parts = term.parts or _USUAL.get(info.kind, ())
    if not parts:
        raise UsageError(f"{info.name} reads several things.", hint=f"Say which: {term.reference}(et,id).")
    for part in parts:
        if part not in _READS.get(info.kind, ()):
            reads = ", ".join(_READS.get(info.kind, ("nothing that this recipe asks",)))
            hint = f"An encoder of the kind {info.kind} reads {reads}."
            raise UsageError(f"{info.name} cannot read {part}.", hint=hint)
    return replace(term, parts=parts)


def _kind(term: ClassifierTerm) -> EncoderKind:
    return registry.encoder_info(term.encoder).kind


class PaperInputs(Features):
    """The encoders of a resolved classifier. What is asked for has the encoder's name before it, and so have texts and
    views in what comes back. `text_size` is that of the command, `view_size` that of all parts of a step together."""

    def __init__(
        self,
        classifier: Classifier,
        texts: Mapping[str, Features],
        views: Mapping[str, Features],
        trees: Mapping[str, TreeEncoder],
        kept: FeatureCache | None = None,
    ) -> None:
        """Encoders by reference, each of texts or of pictures in a `Features` of its own."""
        every: list[Any] = [*texts.values(), *views.values(), *trees.values()]
        self._by_text, self._by_view, self._by_tree, self._trees_kept = texts, views, trees, kept
        self.fingerprint = "; ".join(one.fingerprint.removesuffix("; no pictures") for one in every)
        self.computed_by = "; ".join(dict.fromkeys(one.computed_by for one in every))
        self.part_sizes = {
            (term.reference, part): self._size(term.reference, part) for term in classifier.terms for part in term.parts
        }
        self.text_size = next(size for (_, part), size in self.part_sizes.items() if part == "command")
        self.view_size = sum(size for (_, part), size in self.part_sizes.items() if part != "command")

    def _size(self, reference: str, part: str) -> int:
        if part == "tree":
            return self._by_tree[reference].size
        return self._by_view[reference].view_size if part in ("screen", "icons") else self._by_text[reference].text_size

    def views_by(
        self, reference: str, picture: Picture | None, boxes: Sequence[Box | None] = (None,)
    ) -> tuple[ImageView, ...]:
        """What that encoder is to see of a picture, without boxes that have no area. Raises SourceError."""
        found = self._by_view[reference].views_of(picture, boxes)
        mark = f"{reference}{_MARK}".encode()
        return tuple(replace(one, key=mark + one.key) for one in found if one is not None)

    def tree_view(self, reference: str, request: EpisodeRequest, observation: Observation) -> ImageView | None:
        """A tree on its way, in the place of a picture; None without one."""
        if observation.tree is None:
            return None
        bare = EpisodeRequest("", None, request.platform, (replace(observation, screenshot=None),), ())
        key = request_key(self._by_tree[reference].fingerprint, bare)
        return ImageView(f"{reference}{_MARK}".encode() + key, cast(Any, (observation,)))

    def vectors(self, texts: Iterable[str], views: Iterable[ImageView | None] = ()) -> Vectors:
        """Vectors by the marked names. See `Features.vectors`."""
        found_texts: dict[str, Vector] = {}
        found_views: dict[bytes, Vector] = {}
        asked = list(dict.fromkeys(texts))
        for reference, features in self._by_text.items():
            own = [text.partition(_MARK)[2] for text in asked if text.startswith(f"{reference}{_MARK}")]
            known = features.vectors(own).texts
            found_texts |= {f"{reference}{_MARK}{text}": vector for text, vector in known.items()}
        seen = {one.key: one for one in views if one is not None}
        for reference, features in self._by_view.items():
            mark = f"{reference}{_MARK}".encode()
            mine = [replace(one, key=key.removeprefix(mark)) for key, one in seen.items() if key.startswith(mark)]
            made = features.vectors((), mine).views
            found_views |= {mark + key: vector for key, vector in made.items()}
        for reference in self._by_tree:
            mark = f"{reference}{_MARK}".encode()
            found_views |= self._trees_of(reference, {k: one for k, one in seen.items() if k.startswith(mark)})
        return Vectors(found_texts, found_views, self.text_size, self.view_size)

    def _trees_of(self, reference: str, wanted: Mapping[bytes, ImageView]) -> dict[bytes, Vector]:
        known = self._trees_kept.get(list(wanted)) if self._trees_kept is not None else {}
        new = {key: cast(Any, one.pixels[0]) for key, one in wanted.items() if key not in known}
        fresh = dict(zip(new, self._by_tree[reference].embed(list(new.values())), strict=True)) if new else {}
        if self._trees_kept is not None:
            self._trees_kept.put(fresh)
        return {**known, **fresh}


def load_paper_inputs(classifier: Classifier, *, device: str = "auto", kept: FeatureCache | None = None) -> PaperInputs:
    """The encoders of a resolved classifier. Raises what loading them raises, UsageError for one that gives
    sequences."""
    kept = kept or feature_cache()
    texts: dict[str, Features] = {}
    views: dict[str, Features] = {}
    trees: dict[str, TreeEncoder] = {}
    for term in classifier.terms:
        reference, parts = term.reference, set(term.parts)
        if parts & {*TREE_TEXTS, "command"} and reference not in texts:
            texts[reference] = Features(_single(registry.load_texts(reference, device=device), reference), (), kept)
        if parts & {"screen", "icons"} and reference not in views:
            seen = _single(registry.load_views(reference, device=device), reference)
            views[reference] = Features((), seen, kept)
        if "tree" in parts and reference not in trees:
            trees[reference] = registry.load_tree(reference, device=device)
    return PaperInputs(classifier, texts, views, trees, kept)


def _single(encoders: Sequence[Any], reference: str) -> Sequence[Any]:
    if any(one.sequence for one in encoders):
        raise UsageError(f"{reference} gives sequences.", hint="Name its output with one vector.")
    return encoders


@dataclass(frozen=True, slots=True)
class PaperDraft:
    """An episode taken apart: the sentences of goal and of instructions as they are asked for, and for each step what
    each encoder reads of it: for each (encoder, part) names of texts or of views."""

    goal: tuple[str, ...]
    instructions: tuple[str, ...]
    steps: tuple[Mapping[tuple[str, str], tuple[str | bytes, ...]], ...]


def prepare(request: EpisodeRequest, inputs: PaperInputs, classifier: Classifier, language: str) -> PreparedRequest:
    """Reads the first 20 steps. Raises SourceError."""
    reader = next(term.reference for term in classifier.terms if "command" in term.parts)
    goal = _asked(reader, (shortened(request.goal or ""),)) if language != "instruction" else ()
    told = tuple(shortened(one) for one in request.instructions) if language != "goal" else ()
    instructions = _asked(reader, told)
    views: list[ImageView] = []
    steps = []
    for place in range(min(len(request.observations), STEPS)):
        step: dict[tuple[str, str], tuple[str | bytes, ...]] = {}
        for term in classifier.terms:
            for part in term.parts:
                if part in TREE_TEXTS:
                    step[term.reference, part] = _asked(term.reference, _tokens(request, place, part))
                elif part != "command":
                    seen = _views(request, place, term.reference, part, inputs)
                    views += seen
                    step[term.reference, part] = tuple(one.key for one in seen)
        steps.append(step)
    texts = [one for step in steps for names in step.values() for one in names if isinstance(one, str)]
    draft = PaperDraft(goal, instructions, tuple(steps))
    return PreparedRequest(request, (*goal, *instructions, *dict.fromkeys(texts)), tuple(views), draft)


def example_of(
    draft: PaperDraft, vectors: Vectors, classifier: Classifier, sizes: Mapping[tuple[str, str], int]
) -> Example:
    """`command` (command size,), `states` (steps, step size): the parts in the order of the name."""
    known: dict[str | bytes, Vector] = {}
    known.update(vectors.texts.items())
    known.update(vectors.views.items())
    places = [(term.reference, part) for term in classifier.terms for part in term.parts if part != "command"]
    rows = [np.concatenate([_mean(step[place], known, sizes[place]) for place in places]) for step in draft.steps]
    told = [_mean(one, known, vectors.text_size) for one in (draft.goal, draft.instructions) if one]
    command: Vector = np.zeros(vectors.text_size, np.float32)
    if told:
        command = np.mean(np.stack(told), axis=0, dtype=np.float32)
    width = sum(sizes[place] for place in places)
    return {"command": command, "states": np.stack(rows) if rows else np.zeros((0, width), np.float32)}


def _asked(reference: str, texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{reference}{_MARK}{text}" for text in texts if text.strip())


def _tokens(request: EpisodeRequest, place: int, part: str) -> tuple[str, ...]:
    """Of a plan in words the step's own words are its texts."""
    if request.platform is Platform.TEXT:
        return state_texts(request, place) if part == "et" else ()
    tokens = element_tokens(request.observations[place])
    return {"et": tokens.texts, "id": tokens.ids, "cls": tokens.classes}[part]


def _views(
    request: EpisodeRequest, place: int, reference: str, part: str, inputs: PaperInputs
) -> tuple[ImageView, ...]:
    observation = request.observations[place]
    picture = observation.screenshot
    if part == "tree":
        tree = inputs.tree_view(reference, request, observation)
        return () if tree is None else (tree,)
    if part == "screen" or picture is None:
        return inputs.views_by(reference, picture)
    icons = [one for one in observation.tree or () if is_icon(one, observation)][:MOST_ICONS]
    return inputs.views_by(reference, picture, [one.box.rescaled(picture.size) for one in icons]) if icons else ()


def _mean(names: Sequence[str | bytes], known: Mapping[str | bytes, Vector], size: int) -> Vector:
    found = [known[name] for name in names if name in known]
    return np.mean(found, axis=0, dtype=np.float32) if found else np.zeros(size, np.float32)
