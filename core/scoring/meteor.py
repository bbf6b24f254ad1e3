"""METEOR of two texts, with WordNet from nltk's data or from the system's packages.

Source: Lavie and Agarwal 2007 as nltk computes it (`single_meteor_score`): lower-cased words are matched exactly, then
by Porter stem, then by WordNet synonym; with m matched words in c chunks, P = m / words asked, R = m / words of the
reference, the score is (1 - gamma (c/m)^beta) P R / (alpha P + (1 - alpha) R). nltk looks for synonyms of the stems,
not of the words: "purchase" has none there, for its stem is "purchas".

nltk itself takes seconds to import and to read WordNet. Tests hold what is done here against it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from stepscope.core.errors import UnavailableError
from stepscope.core.scoring.meteor_match import ALPHA, BETA, GAMMA, score
from stepscope.core.scoring.treebank_words import words_of
from stepscope.core.scoring.wordnet import FILES, WordNet

SYSTEM_WORDNET = Path("/usr/share/wordnet")
"""Where Debian's package wordnet-base puts WordNet."""

_HINT = "Install the Debian package wordnet-base, or nltk's data package wordnet."

Read = Callable[[str], bytes]


class Meteor:
    """METEOR of two texts. `name` tells the rule, its parameters and WordNet. Safe to share between threads."""

    def __init__(self, wordnet: WordNet, where: str) -> None:
        """`where` says whose data `wordnet` reads."""
        self._synonyms = wordnet.synonyms
        self.name = (
            f"nltk's single_meteor_score, alpha {ALPHA}, beta {BETA}, gamma {GAMMA}, NLTKWordTokenizer, lower case, "
            f"Porter stems, WordNet {wordnet.version()} ({where})"
        )

    @staticmethod
    def load() -> Meteor:
        """METEOR with nltk's own WordNet, else the system's; loaded once. Raises UnavailableError where neither is
        here."""
        return _loaded()

    def score(self, reference: str, asked: str) -> float:
        """0..1; 0 when no word matches."""
        return score(words_of(reference), words_of(asked), self._synonyms)


@cache
def _loaded() -> Meteor:
    read, where = _wordnet()
    return Meteor(WordNet(read), where)


def wordnet_here() -> str:
    """Whose WordNet METEOR takes. Raises UnavailableError without it."""
    return _wordnet()[1]


def _wordnet() -> tuple[Read, str]:
    """What reads the files of the first WordNet that is found where nltk looks for it, else of the system's, and whose
    it is. Raises UnavailableError without one."""
    named = [Path(one) for one in os.environ.get("NLTK_DATA", "").split(os.pathsep) if one]
    inside = [Path(sys.prefix) / part / "nltk_data" for part in ("", "share", "lib")]
    system = [Path(f"/usr/{part}/nltk_data") for part in ("share", "local/share", "lib", "local/lib")]
    corpora = [folder / "corpora" for folder in (*named, Path.home() / "nltk_data", *inside, *system)]
    for folder in corpora:
        if _is_whole(folder / "wordnet"):
            return _reader_of_folder(folder / "wordnet"), "nltk's data"
    for folder in corpora:
        if _is_whole_archive(folder / "wordnet.zip"):
            return _reader_of_archive(folder / "wordnet.zip"), "nltk's data"
    if not _is_whole(SYSTEM_WORDNET):
        raise UnavailableError("METEOR needs WordNet, which is not here.", hint=_HINT)
    return _reader_of_folder(SYSTEM_WORDNET), f"files of {SYSTEM_WORDNET}"


def _is_whole(folder: Path) -> bool:
    return all((folder / name).is_file() for name in FILES)


def _reader_of_folder(folder: Path) -> Read:
    return lambda name: (folder / name).read_bytes()


def _is_whole_archive(path: Path) -> bool:
    try:
        with ZipFile(path) as archive:
            return {f"wordnet/{name}" for name in FILES} <= set(archive.namelist())
    except (OSError, BadZipFile):
        return False


def _reader_of_archive(path: Path) -> Read:
    def read(name: str) -> bytes:
        with ZipFile(path) as archive:
            return archive.read(f"wordnet/{name}")

    return read
