"""METEOR as nltk computes it, with WordNet from nltk's data or from the system's packages.

Source: Lavie and Agarwal 2007 in nltk's implementation (`single_meteor_score`): lower-cased words are matched exactly,
then by Porter stem, then by WordNet synonym; with m matched words in c chunks, P = m / words asked, R = m / words of
the reference, the score is (1 - gamma (c/m)^beta) P R / (alpha P + (1 - alpha) R). nltk looks for synonyms of the
stems, not of the words: "purchase" has none there, for its stem is "purchas".

nltk reads data only below folders that its search path names, so the system's folder is put at that path's end.
"""

from __future__ import annotations

import io
import os
import sys
import threading
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from stepscope.core.errors import UnavailableError

ALPHA, BETA, GAMMA = 0.9, 3.0, 0.5
"""Weights of precision against recall, and shape and size of the penalty for fragments: nltk's defaults."""

SYSTEM_WORDNET = Path("/usr/share/wordnet")
"""Where Debian's package wordnet-base puts WordNet."""

_PARTS = ("noun", "verb", "adj", "adv")
_FILES = tuple(name for part in _PARTS for name in (f"data.{part}", f"index.{part}", f"{part}.exc"))
_HINT = "Install the Debian package wordnet-base, or nltk's data package wordnet."

_ADJECTIVES = ("all", "pert")
_NOUNS = (
    "Tops", "act", "animal", "artifact", "attribute", "body", "cognition", "communication", "event", "feeling", "food",
    "group", "location", "motive", "object", "person", "phenomenon", "plant", "possession", "process", "quantity",
    "relation", "shape", "state", "substance", "time",
)  # fmt: skip
_VERBS = (
    "body", "change", "cognition", "communication", "competition", "consumption", "contact", "creation", "emotion",
    "motion", "perception", "possession", "social", "stative", "weather",
)  # fmt: skip
_CATEGORY = {"noun": 1, "verb": 2, "adj": 3, "adv": 4}


def lexnames() -> str:
    """The file of that name, which Debian leaves out: number, name and category of each lexicographer file, as the
    manual page lexnames(5WN) lists them."""
    names = [f"adj.{name}" for name in _ADJECTIVES] + ["adv.all"]
    names += [f"noun.{name}" for name in _NOUNS] + [f"verb.{name}" for name in _VERBS] + ["adj.ppl"]
    return "".join(f"{row:02}\t{name}\t{_CATEGORY[name.split('.')[0]]}\n" for row, name in enumerate(names))


class Meteor:
    """METEOR of two texts. `name` tells implementation, parameters and WordNet. Safe to share between threads."""

    def __init__(self, wordnet: Any, where: str) -> None:
        """`wordnet` is an nltk reader; `where` says whose data it reads."""
        import nltk
        from nltk.stem.porter import PorterStemmer
        from nltk.tokenize import NLTKWordTokenizer
        from nltk.translate.meteor_score import single_meteor_score

        self._score, self._tokens = single_meteor_score, NLTKWordTokenizer().tokenize
        self._wordnet, self._stemmer = wordnet, PorterStemmer()
        # The reader moves about in files that it keeps open.
        self._reading = threading.Lock()
        self.name = (
            f"nltk {nltk.__version__} single_meteor_score, alpha {ALPHA}, beta {BETA}, gamma {GAMMA}, "
            f"NLTKWordTokenizer, lower case, Porter stems, WordNet {wordnet.get_version()} ({where})"
        )

    @staticmethod
    def load() -> Meteor:
        """METEOR with nltk's own WordNet, else the system's; loaded once. Raises UnavailableError where neither is
        here."""
        return _loaded()

    def score(self, reference: str, asked: str) -> float:
        """0..1; 0 when no word matches."""
        with self._reading:
            return float(
                self._score(
                    self._tokens(reference),
                    self._tokens(asked),
                    stemmer=self._stemmer,
                    wordnet=self._wordnet,
                    alpha=ALPHA,
                    beta=BETA,
                    gamma=GAMMA,
                )
            )


@cache
def _loaded() -> Meteor:
    root, where = wordnet()
    return Meteor(_reader(root), where)


def wordnet_here() -> str:
    """Whose WordNet `wordnet` would take, by a look where nltk looks: nltk itself takes seconds to import.
    Raises UnavailableError without it."""
    if find_spec("nltk") is None:
        raise UnavailableError("METEOR needs the package nltk.", hint="Install it with pip install nltk.")
    named = [Path(one) for one in os.environ.get("NLTK_DATA", "").split(os.pathsep) if one]
    inside = [Path(sys.prefix) / part / "nltk_data" for part in ("", "share", "lib")]
    system = [Path(f"/usr/{part}/nltk_data") for part in ("share", "local/share", "lib", "local/lib")]
    corpora = [folder / "corpora" for folder in (*named, Path.home() / "nltk_data", *inside, *system)]
    if any((folder / "wordnet").is_dir() or (folder / "wordnet.zip").is_file() for folder in corpora):
        return "nltk's data"
    if not all((SYSTEM_WORDNET / name).is_file() for name in _FILES):
        raise UnavailableError("METEOR needs WordNet, which is not here.", hint=_HINT)
    return f"files of {SYSTEM_WORDNET}"


def wordnet() -> tuple[Any, str]:
    """Where WordNet is, as nltk's reader takes it, and whose data that is. Raises UnavailableError without it."""
    try:
        import nltk.data
    except ImportError as error:
        raise UnavailableError("METEOR needs the package nltk.", hint="Install it with pip install nltk.") from error
    for name in ("corpora/wordnet", "corpora/wordnet.zip/wordnet/"):
        try:
            return nltk.data.find(name), "nltk's data"
        except LookupError:
            continue
    if not all((SYSTEM_WORDNET / name).is_file() for name in _FILES):
        raise UnavailableError("METEOR needs WordNet, which is not here.", hint=_HINT)
    if str(SYSTEM_WORDNET) not in nltk.data.path:
        nltk.data.path.append(str(SYSTEM_WORDNET))
    return str(SYSTEM_WORDNET), f"files of {SYSTEM_WORDNET}"


def _reader(root: Any) -> Any:
    """nltk's reader of WordNet at a folder, without the parts for other languages."""
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    class Reader(WordNetCorpusReader):  # type: ignore[misc]
        def open(self, file: str) -> Any:
            if file == "lexnames":
                return io.StringIO(lexnames())
            return super().open(file)

        def map_wn(self, version: str = "wordnet") -> None:
            """Map no numbers of other WordNets, which serve other languages and want a second copy of the data."""

    return Reader(root, omw_reader=False)  # None would be warned about
