"""METEOR against values worked out by hand and against nltk, and where its WordNet comes from."""

import io
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.core.errors import UnavailableError
from stepscope.core.scoring import meteor as module
from stepscope.core.scoring.meteor import SYSTEM_WORDNET, Meteor, wordnet_here
from stepscope.core.scoring.porter import stem
from stepscope.core.scoring.treebank_words import words_of
from stepscope.core.scoring.wordnet import FILES, WordNet

beside_nltk = pytest.mark.needs("scipy.stats")  # which nltk loads


@pytest.fixture(scope="module")
def meteor() -> Meteor:
    try:
        return Meteor.load()
    except UnavailableError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize(
    ("reference", "asked", "value"),
    [
        # m matched words in c chunks: (1 - 0.5 (c/m)^3) P R / (0.9 P + 0.1 R)
        ("the cat sat", "the cat sat", 1 - 0.5 / 27),
        ("The CAT sat", "the cat sat", 1 - 0.5 / 27),
        ("a test", "a tests", 1 - 0.5 / 8),  # one stem
        ("my car", "my auto", 1 - 0.5 / 8),  # synonyms
        ("my car", "my dog", 0.5 * 0.5),  # m 1, P 1/2, R 1/2
        ("a b c d", "a b", (1 - 0.5 / 8) * 0.5 / 0.95),  # P 1, R 1/2
        ("a b", "a b c d", (1 - 0.5 / 8) * 0.5 / 0.55),  # P 1/2, R 1
        ("a b c", "c b a", 0.5),  # three chunks of three
        ("Which size should it be?", "Which size would you like?", (1 - 0.5 * 8 / 27) * 0.5),  # 3 of 6, in 2 chunks
        ("What size?", "what size ?", 1 - 0.5 / 27),  # punctuation marks are words
        ("can't", "ca n't", 1 - 0.5 / 8),  # as the Penn Treebank splits
        ("size", "colour", 0),
        ("size", "", 0),
        ("", "", 0),
        ("größe 🙂", "größe 🙂", 1 - 0.5 / 8),
        ("\ud800 a", "\ud800 a", 1 - 0.5 / 8),
    ],
)
def test_by_hand(meteor: Meteor, reference: str, asked: str, value: float) -> None:
    assert meteor.score(reference, asked) == pytest.approx(value)


def test_synonyms_are_looked_for_by_stem(meteor: Meteor) -> None:
    """nltk gives the synonym stage what the stem stage left, and that are stems: "purchas" is in no synset."""
    assert meteor.score("buy it", "buy it") == pytest.approx(1 - 0.5 / 8)
    assert meteor.score("buy it", "purchase it") == pytest.approx(0.25)


def test_the_example_of_nltk(meteor: Meteor) -> None:
    """The documentation of single_meteor_score says 0.6944."""
    asked = "It is a guide to action which ensures that the military always obeys the commands of the party"
    reference = "It is a guide to action that ensures that the military will forever heed Party commands"
    assert round(meteor.score(reference, asked), 4) == 0.6944


def test_the_name_tells_what_scored(meteor: Meteor) -> None:
    for part in ("single_meteor_score", "alpha 0.9, beta 3.0, gamma 0.5", "WordNet 3."):
        assert part in meteor.name


def test_threads_may_share_it(meteor: Meteor) -> None:
    pairs = [(f"open the {word}", f"close the {word}s") for word in ("car", "dog", "light", "house", "door")] * 20
    alone = [meteor.score(*pair) for pair in pairs]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda pair: meteor.score(*pair), pairs)) == alone


# --- beside nltk -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def nltk() -> Iterator[SimpleNamespace]:
    """nltk's parts, and its reader of the system's WordNet."""
    if not all((SYSTEM_WORDNET / name).is_file() for name in FILES):
        pytest.skip("no WordNet to compare with")
    import nltk.data
    from nltk.corpus.reader.wordnet import WordNetCorpusReader
    from nltk.stem.porter import PorterStemmer
    from nltk.tokenize import NLTKWordTokenizer
    from nltk.translate.meteor_score import single_meteor_score

    class Reader(WordNetCorpusReader):  # type: ignore[misc]
        def open(self, file: str) -> Any:
            if file == "lexnames":  # which Debian leaves out
                return io.StringIO("".join(f"{row:02}\tnoun.{row}\t1\n" for row in range(45)))
            return super().open(file)

        def map_wn(self, version: str = "wordnet") -> None:
            """Numbers of other WordNets serve other languages."""

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nltk.data, "path", [*nltk.data.path, str(SYSTEM_WORDNET)])
        reader = Reader(str(SYSTEM_WORDNET), omw_reader=False)  # None would be warned about
        stemmer, tokens = PorterStemmer(), NLTKWordTokenizer().tokenize

        def score(reference: str, asked: str) -> float:
            found = single_meteor_score(tokens(reference), tokens(asked), stemmer=stemmer, wordnet=reader)
            return float(found)

        yield SimpleNamespace(reader=reader, tokens=tokens, score=score)


@pytest.fixture(scope="module")
def ours() -> WordNet:
    return WordNet(lambda name: (SYSTEM_WORDNET / name).read_bytes())


def theirs(reader: Any, word: str) -> set[str]:
    names = (lemma.name() for synset in reader.synsets(word) for lemma in synset.lemmas())
    return {name for name in names if "_" not in name}


@beside_nltk
def test_synonyms_are_nltks(nltk: SimpleNamespace, ours: WordNet) -> None:
    """Of every fortieth word of WordNet, of its stem and with each ending, and of all exceptions of adjectives."""
    known = sorted(nltk.reader._lemma_pos_offset_map)
    endings = ("", "s", "es", "ed", "ing", "er", "est", "men", "ies", "x")
    words = [word + ending for word in known[::40] for ending in endings] + [stem(word) for word in known[7::40]]
    words += [*known[:20], *known[-20:], *nltk.reader._exception_map["a"], "\ud800", "é", "0", "'", "zzzz"]
    assert {word: ours.synonyms(word) for word in words if ours.synonyms(word) != theirs(nltk.reader, word)} == {}
    assert sum(map(bool, map(ours.synonyms, words))) > 5000


pieces = st.sampled_from(
    [*"abnts'\"`.,:;?!()[]{}<>-*@#$%& «»“”‘’„\n\t\x1c\x85\u00a0éß中1٣‒—…🙂İſKＡ", "can", "not", "n't", "'ll", "'S",
     "'re", "gim", "me", "wan", "na", "'t", "is", "was", "d'ye", "more'n", "''", "``", "...", "--", " ", " "]
)  # fmt: skip


@beside_nltk
@given(st.lists(pieces, max_size=14).map("".join))
def test_words_are_nltks(nltk: SimpleNamespace, text: str) -> None:
    assert words_of(text) == nltk.tokens(text)


ASKED = (
    "which size would you like car auto cars automobile dog dogs colour color Colors the The buy purchase big large",
    "bigger ? it's go went going picture image photo photos exposure a . men man adult test tests exam",
)
texts = st.lists(st.sampled_from([word for line in ASKED for word in line.split()]), max_size=10).map(" ".join)


@beside_nltk
@given(texts, texts)
def test_scores_are_nltks(nltk: SimpleNamespace, meteor: Meteor, reference: str, asked: str) -> None:
    assert meteor.score(reference, asked) == nltk.score(reference, asked)


# --- WordNet ---------------------------------------------------------------------------------------------------------

SMALL = {
    "index.noun": "  1 licence\na n 1 0 1 0 0\nbox n 2 1 @ 2 0 16 46\n",
    "index.adj": "red a 1 0 1 0 0\n",
    "data.noun": "0 03 n 01 a 0 0\n16 03 n 02 box 0 case 0 0 | g\n46 03 n 03 box 0 Loge 0 in_a_theatre 0 0\n",
    "data.adj": "0 00 a 02 red(p) 0 ruddy 0 0 | WordNet 9.1 Copyright\n",
    "noun.exc": "boxen box\n",
}
"""A synset is found by the byte at which its line begins."""


def test_synonyms_by_hand() -> None:
    found = WordNet(lambda name: SMALL.get(name, "").encode())
    assert found.synonyms("box") == found.synonyms("boxen") == found.synonyms("boxs") == {"box", "case", "Loge"}
    assert found.synonyms("redder") == set()
    assert found.synonyms("red") == found.synonyms("reder") == {"red", "ruddy"}
    assert found.synonyms("a") == {"a"}
    assert [found.synonyms(word) for word in ("", "1", "licence", "zoo", "bo")] == [set()] * 5
    assert found.version() == "9.1"


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Meteor]:
    """No WordNet is found but in the folder of the test, which NLTK_DATA names; loads what is there."""
    monkeypatch.setenv("NLTK_DATA", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(module, "SYSTEM_WORDNET", tmp_path / "none")
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    return module._loaded.__wrapped__


def test_without_wordnet_it_says_what_to_install(nowhere: Callable[[], Meteor], tmp_path: Path) -> None:
    (tmp_path / "corpora" / "wordnet").mkdir(parents=True)
    (tmp_path / "corpora" / "wordnet.zip").write_bytes(b"no archive")
    for look in (nowhere, wordnet_here):
        with pytest.raises(UnavailableError, match="wordnet-base"):
            look()


def test_nltks_own_wordnet_comes_first(
    nowhere: Callable[[], Meteor], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in (tmp_path / "corpora" / "wordnet", tmp_path / "system"):
        folder.mkdir(parents=True)
        for name in FILES:
            (folder / name).write_text(SMALL.get(name, ""))
    monkeypatch.setattr(module, "SYSTEM_WORDNET", tmp_path / "system")
    assert wordnet_here() == "nltk's data"
    assert nowhere().name.endswith("WordNet 9.1 (nltk's data)")
    assert nowhere().score("my case", "my box") == pytest.approx(1 - 0.5 / 8)
    (tmp_path / "corpora" / "wordnet" / "noun.exc").unlink()
    assert wordnet_here() == f"files of {tmp_path / 'system'}"


def test_an_archive_of_nltks_is_read(nowhere: Callable[[], Meteor], tmp_path: Path) -> None:
    (tmp_path / "corpora").mkdir()
    with ZipFile(tmp_path / "corpora" / "wordnet.zip", "w") as archive:
        for name in FILES:
            archive.writestr(f"wordnet/{name}", SMALL.get(name, ""))
    assert nowhere().score("my case", "my box") == pytest.approx(1 - 0.5 / 8)
