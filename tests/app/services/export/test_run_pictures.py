"""File names of pictures: the episode and the step."""

from stepscope.app.services.export.file_names import FileNames
from stepscope.app.services.export.run_pictures import _name
from stepscope.core.domain.prediction import Prediction, PredictionStatus
from stepscope.core.domain.run import ItemKey, Outcome
from stepscope.core.domain.score import Score


def item(episode, step=0):
    prediction = Prediction(episode, None if step < 0 else step, None, PredictionStatus.EMPTY)
    return Outcome(ItemKey(episode, step), prediction, Score.error("x"))


def test_a_name_is_the_episode_and_the_step():
    names = FileNames()
    assert [_name(names, item(*key)) for key in (("lamp", 3), ("lamp", -1), ("lamp", 0))] == [
        "lamp-3.png", "lamp.png", "lamp-0.png",
    ]  # fmt: skip


def test_a_step_of_one_and_another_episode_are_told_apart():
    names = FileNames()
    assert _name(names, item("lamp", 3)) == "lamp-3.png"
    assert _name(names, item("lamp-3", -1)).startswith("lamp-3~")
