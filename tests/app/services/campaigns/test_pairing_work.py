"""Vectors of goals, the picture of them, and all of it in one: with the project's own sentence model, and with a file
of word vectors made by hand."""

import sys
from pathlib import Path

import numpy as np
import pytest

from stepscope.app.services.campaigns.goal_picture import Method, methods, placed
from stepscope.app.services.campaigns.goal_vectors import fasttext_vectors
from stepscope.app.services.campaigns.pairing_work import PairingRequest, PairingResult, PairingStage, pair_goals
from stepscope.app.services.worker import PairingJob, WorkProcess
from stepscope.core.domain.campaign import CampaignGoal
from stepscope.core.errors import UnavailableError, UserError
from stepscope.core.progress import CancelToken

TEXTS = {
    "clock": ("set an alarm for seven", "wake me at seven with an alarm", "delete the alarm"),
    "music": ("play a song by Queen", "play the next song", "make a playlist of songs"),
}
GOALS = tuple(CampaignGoal(app, text) for app, texts in TEXTS.items() for text in texts)


@pytest.fixture
def words(tmp_path: Path) -> Path:
    """Alarms to the right, songs up."""
    file = tmp_path / "words.vec"
    file.write_text("4 2\nset 0 0\nalarm 4 0\nsong 0 4\nsongs 0 2\n", "utf-8")
    return file


def test_the_sentence_model_puts_alarms_and_songs_apart() -> None:
    request = PairingRequest("Tools", GOALS, k=2, picture=Method.TSNE)
    *stages, found = pair_goals(request, CancelToken())
    assert isinstance(found, PairingResult) and all(isinstance(one, PairingStage) for one in stages)
    assert [stage.doing for stage in stages] == ["Reading the goals", "Clustering", "Drawing by t-SNE"]
    assert {cluster.apps for cluster in found.clustering.clusters} == {("clock",), ("music",)}
    assert "all-MiniLM-L6-v2" in found.vectors and len(found.places) == len(GOALS)
    assert list(pair_goals(request, CancelToken()))[-1] == found, "decided by the seed"


def test_the_mean_of_the_words_that_a_file_has(words: Path) -> None:
    found, unknown = fasttext_vectors(words, ["Set an alarm", "songs, Song!", "hello"], CancelToken())
    assert found.tolist() == [[2, 0], [0, 3], [0, 0]] and unknown == ("hello",)


@pytest.mark.parametrize(
    ("content", "message"),
    [("", "has no word vectors"), ("4 2\nalarm 1\nsong 1 2\n", "has no word vectors"),
     ("set 0 0\nalarm 4 x\n", r"words.vec:2: is not a word and 2 numbers.*\.bin files are not read"),
     ("set 0 0\nalarm 4 nan\n", "is not a word and 2 numbers")],
)  # fmt: skip
def test_a_file_of_another_kind_is_told(words: Path, content: str, message: str) -> None:
    words.write_text(content)
    with pytest.raises(UserError, match=message):
        fasttext_vectors(words, ["set alarm"], CancelToken())
    words.unlink()
    with pytest.raises(UserError, match="cannot be read: no such file"):
        fasttext_vectors(words, ["set alarm"], CancelToken())


def test_a_picture_keeps_what_is_near_near() -> None:
    near = np.random.default_rng(1).normal(size=(24, 8)) * 0.1
    near[:12, 0] += 10
    found = np.array(placed(near, Method.TSNE, 3))
    assert np.abs(found).max() == 1
    apart = np.linalg.norm(found[:12].mean(axis=0) - found[12:].mean(axis=0))
    inside = np.linalg.norm(found[:12] - found[:12].mean(axis=0), axis=1).max()
    assert apart > 2 * inside
    assert placed(near, Method.TSNE, 3) == tuple(map(tuple, found.tolist()))


def test_few_goals_stand_along_their_main_directions() -> None:
    assert placed(np.zeros((1, 3)), Method.TSNE, 0) == ((0, 0),)
    one, two, three = placed(np.array([[0, 0], [2, 0], [4, 0]]), Method.TSNE, 0)
    assert sorted((one[0], three[0])) == [-1, 1] and two == (0, 0)


def test_only_what_is_installed_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "umap", None)
    place = "stepscope.app.services.campaigns.goal_picture.find_spec"
    monkeypatch.setattr(place, lambda name: None if name == "umap" else object())
    assert methods() == (Method.TSNE,)
    with pytest.raises(UnavailableError, match=r"UMAP is not installed.*umap-learn"):
        placed(np.eye(6), Method.UMAP, 0)


def test_it_works_in_a_process_of_its_own(words: Path) -> None:
    worker = WorkProcess("the pairing", "Try it again.")
    try:
        *_, found = worker.run(PairingJob(PairingRequest("Tools", GOALS, fasttext=words)), CancelToken())
        assert isinstance(found, PairingResult)
        assert [len(cluster.goals) for cluster in found.clustering.clusters] == [3, 3]
        with pytest.raises(UserError, match="No goal was written"):
            list(worker.run(PairingJob(PairingRequest("Tools", (), fasttext=words)), CancelToken()))
    finally:
        worker.close()
