"""What an index keeps of steps, worked out by hand."""

from stepscope.core.domain.action import AskUser, OpenApp, PressKey, Select, Tap, Target, Type
from stepscope.core.domain.elements import TreeOrigin, UIElement, UITree
from stepscope.core.domain.episode import Ask, Episode, Observation, Platform, Step, summarise
from stepscope.core.domain.geometry import Box, Point, Size
from stepscope.core.domain.step_summary import LONGEST_TEXT, MOST_TEXTS, StepSummary, step_summary

SIZE = Size(100, 200)
HERE = Box(0, 0, 10, 10, SIZE)


def step(action=None, *elements, index=0, instruction=None):
    tree = UITree(elements, TreeOrigin.DUMP, SIZE) if elements else None
    return Step(index, Observation(SIZE, None, tree), action, instruction)


def test_a_tap_with_the_words_of_its_screen():
    seen = (
        UIElement(0, HERE, text=" Sign \n in "),
        UIElement(1, HERE, text="hunter2", content_description="Password", password=True),
        UIElement(2, HERE, text="Sign in", content_description="Go"),
        UIElement(3, HERE, text="behind", visible=False),
    )
    tap = Tap(Point(5, 5, SIZE), Target(HERE, " Sign\tin", "com.shop:id/sign_in_button"))
    assert step_summary(step(tap, *seen, index=4, instruction="Sign  in now"), ask=True) == StepSummary(
        4, "tap", target="Sign in", name="sign in button", texts=("Sign in now", "Sign in", "Password", "Go"), ask=True
    )


def test_other_actions():
    assert step_summary(step(Type("two  words\n"))) == StepSummary(0, "type", typed="two  words\n")
    field = Target(None, id="zip")
    assert step_summary(step(Select("Blue", target=field))) == StepSummary(0, "select", typed="Blue", name="zip")
    assert step_summary(step(PressKey("Page_Down"))) == StepSummary(0, "press_key", key="Page_Down")
    assert step_summary(step(OpenApp("Clock"))) == StepSummary(0, "open_app", target="Clock")
    assert step_summary(step(AskUser("Which one?"))) == StepSummary(0, "ask", texts=("Which one?",))
    assert step_summary(step()) == StepSummary(0)


def test_long_texts_are_cut_and_many_are_left_out():
    many = (UIElement(place, HERE, text=f"{place} " + "x" * 999) for place in range(MOST_TEXTS + 50))
    found = step_summary(step(None, *many, instruction="first"))
    assert len(found.texts) == MOST_TEXTS
    assert found.texts[0] == "first" and found.texts[-1].startswith(f"{MOST_TEXTS - 2} x")
    assert {len(text) for text in found.texts[1:]} == {LONGEST_TEXT}


def test_an_episodes_row_has_them():
    steps = (step(Tap(Point(1, 1, SIZE))), step(index=2, instruction="Look"))
    episode = Episode("e", "recording", Platform.ANDROID, "goal", steps, asks=(Ask(2, "Which?", "This"),))
    assert summarise(episode).details == (StepSummary(0, "tap"), StepSummary(2, texts=("Look",), ask=True))
