"""METEOR against values worked out by hand, and where its WordNet comes from."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from stepscope.core.errors import UnavailableError
from stepscope.core.scoring import meteor as module
from stepscope.core.scoring.meteor import SYSTEM_WORDNET, Meteor, lexnames, wordnet, wordnet_here

pytestmark = pytest.mark.needs("scipy.stats")  # which nltk loads


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
    for part in ("nltk 3.", "single_meteor_score", "alpha 0.9, beta 3.0, gamma 0.5", "WordNet 3."):
        assert part in meteor.name


def test_threads_may_share_it(meteor: Meteor) -> None:
    pairs = [(f"open the {word}", f"close the {word}s") for word in ("car", "dog", "light", "house", "door")] * 20
    alone = [meteor.score(*pair) for pair in pairs]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda pair: meteor.score(*pair), pairs)) == alone


def test_without_wordnet_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = pytest.importorskip("nltk.data")
    monkeypatch.setattr(data, "path", [str(tmp_path)])
    monkeypatch.setattr(module, "SYSTEM_WORDNET", tmp_path)
    module._loaded.cache_clear()
    try:
        with pytest.raises(UnavailableError, match="wordnet-base"):
            Meteor.load()
    finally:
        module._loaded.cache_clear()


def test_nltks_own_wordnet_comes_first(meteor: Meteor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = pytest.importorskip("nltk.data")
    if not SYSTEM_WORDNET.is_dir():
        pytest.skip("no files to stand in for nltk's")
    (tmp_path / "corpora").mkdir()
    (tmp_path / "corpora" / "wordnet").symlink_to(SYSTEM_WORDNET)
    monkeypatch.setattr(data, "path", [str(tmp_path), str(SYSTEM_WORDNET)])
    module._loaded.cache_clear()
    try:
        assert "(nltk's data)" in Meteor.load().name
        assert Meteor.load().score("my car", "my auto") == meteor.score("my car", "my auto")
    finally:
        module._loaded.cache_clear()


def test_a_look_finds_the_same_wordnet_without_nltk(
    meteor: Meteor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert wordnet_here() == wordnet()[1]
    (tmp_path / "corpora" / "wordnet").mkdir(parents=True)
    monkeypatch.setenv("NLTK_DATA", str(tmp_path))
    assert wordnet_here() == "nltk's data"
    monkeypatch.delenv("NLTK_DATA")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(module, "SYSTEM_WORDNET", tmp_path)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    with pytest.raises(UnavailableError, match="wordnet-base"):
        wordnet_here()


def test_lexnames_fit_the_manual_page_and_the_data() -> None:
    rows = [row.split("\t") for row in lexnames().splitlines()]
    assert [int(number) for number, _, _ in rows] == list(range(45))
    for row in ("00\tadj.all\t3", "02\tadv.all\t4", "03\tnoun.Tops\t1", "28\tnoun.time\t1", "29\tverb.body\t2"):
        assert row in lexnames().splitlines()
    assert rows[44] == ["44", "adj.ppl", "3"]
    assert len({name for _, name, _ in rows}) == 45
    if not (SYSTEM_WORDNET / "data.verb").is_file():
        pytest.skip("no WordNet to compare with")
    for part, category in (("noun", "1"), ("verb", "2"), ("adj", "3"), ("adv", "4")):
        lines = (SYSTEM_WORDNET / f"data.{part}").read_text("utf-8").splitlines()
        used = {line.split(" ", 2)[1] for line in lines if not line.startswith("  ")}
        assert {rows[int(number)][2] for number in used} == {category}
