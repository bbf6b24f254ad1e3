"""Names of MoTIF's feasibility classifiers, such as `clip(screen,et,id)+cat`: which encoders read what of a screen, and
how the steps of a way are brought together.

    classifier  = features "+" aggregation
    features    = term ("+" term)*
    term        = encoder [":" output] ["(" part ("," part)* ")"]
    part        = "et" | "id" | "cls" | "screen" | "icons" | "tree" | "command"
    aggregation = "avg" | "cat" | "lstm"

An encoder is named as it was added, or by its family (`clip`, `fasttext`, `resnet`, `icons`, `screen2vec`). The parts
are MoTIF's (section 4.1; paper): the texts, resource ids and class labels of the view hierarchy, the whole screen, its
icons, its tree by Screen2Vec; `command` says what reads the command where it is another encoder (ours). Knows no
encoders: whether there are such is told by `paper_features`.
"""

from __future__ import annotations

import re

from stepscope.core.errors import UsageError
from stepscope.core.frozen import dataclass
from stepscope.core.scoring.names import did_you_mean

TREE_TEXTS = ("et", "id", "cls")
PARTS = ("screen", "icons", "tree", *TREE_TEXTS, "command")
AGGREGATIONS = ("avg", "cat", "lstm")
STEPS = 20
"""Screens that are looked at, the first ones, zeros behind (MoTIF, released code)."""
EXAMPLE = "clip(screen,et,id)+cat"
_TERM = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]{0,39})(?::([a-z0-9-]{1,40}))?(?:\(([^()]*)\))?")
_MOST = 500
"""Letters of a name."""


@dataclass(frozen=True, slots=True)
class ClassifierTerm:
    """An encoder with what it reads; no `parts`: what its kind can read alone. `output` "" is its usual one."""

    encoder: str
    parts: tuple[str, ...] = ()
    output: str = ""

    def __str__(self) -> str:
        parts = f"({','.join(self.parts)})" if self.parts else ""
        return f"{self.reference}{parts}"

    @property
    def reference(self) -> str:
        """The encoder and its output, as the registry of encoders takes them."""
        return f"{self.encoder}:{self.output}" if self.output else self.encoder


@dataclass(frozen=True, slots=True)
class Classifier:
    """What is read, and how steps are brought together."""

    terms: tuple[ClassifierTerm, ...]
    aggregation: str = "cat"

    def __str__(self) -> str:
        return "+".join((*map(str, self.terms), self.aggregation))

    @property
    def features(self) -> str:
        """The name without how steps are brought together."""
        return "+".join(map(str, self.terms))


def parse_classifier(text: str, aggregation: str = "") -> Classifier:
    """The classifier of that name. Spaces and the case of parts do not matter. With `aggregation` the name may end
    without one, and this one is taken. Raises UsageError naming what is wrong and the nearest that is right."""
    plain = "".join(text.split())
    if len(plain) > _MOST:
        raise UsageError(f"A classifier's name has {_MOST} letters at most.", hint=f"Write such as {EXAMPLE}.")
    *terms, last = plain.split("+")
    if last.lower() not in AGGREGATIONS:
        if not aggregation:
            hint = f"{did_you_mean(last, AGGREGATIONS)}End it with +{' or +'.join(AGGREGATIONS)}: {EXAMPLE}."
            raise UsageError(f"The classifier {text!r} does not say how steps are brought together.", hint=hint)
        terms.append(last)
    chosen = aggregation or last.lower()
    if chosen not in AGGREGATIONS:
        hint = f"{did_you_mean(chosen, AGGREGATIONS)}There are {', '.join(AGGREGATIONS)}."
        raise UsageError(f"Steps cannot be brought together by {chosen!r}.", hint=hint)
    found = Classifier(tuple(_term(one, text) for one in terms), chosen)
    _check(found, text)
    return found


def _term(piece: str, whole: str) -> ClassifierTerm:
    match = _TERM.fullmatch(piece)
    if match is None:
        raise UsageError(f"{piece!r} in the classifier {whole!r} is no encoder with parts.", hint=f"Write {EXAMPLE}.")
    encoder, output, inside = match.groups()
    parts = tuple(part.lower() for part in inside.split(",")) if inside is not None else ()
    for part in parts:
        if part not in PARTS:
            hint = f"{did_you_mean(part, PARTS)}There are {', '.join(PARTS)}."
            raise UsageError(f"{encoder} cannot read {part!r} in the classifier {whole!r}.", hint=hint)
    return ClassifierTerm(encoder, parts, output or "")


def _check(found: Classifier, text: str) -> None:
    if not found.terms:
        raise UsageError(f"The classifier {text!r} reads nothing.", hint=f"Write such as {EXAMPLE}.")
    read = [(term.reference, part) for term in found.terms for part in (term.parts or ("",))]
    for place, (reference, part) in enumerate(read):
        if (reference, part) in read[:place]:
            words = f"{reference}({part})" if part else reference
            raise UsageError(f"The classifier {text!r} names {words} twice.", hint="Leave one out.")
    if sum(part == "command" for _, part in read) > 1:
        raise UsageError(f"The classifier {text!r} reads the command twice.", hint="Leave one out.")
    if all(part == "command" for _, part in read):
        raise UsageError(f"The classifier {text!r} reads nothing of the screens.", hint=f"Write such as {EXAMPLE}.")
