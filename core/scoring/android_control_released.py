"""Released scorers of AndroidControl as they are, with their oddities, step by step.

Sources (code), each read and run: `os_atlas` OS-Copilot/OS-Atlas eval/eval_scripts/android_control/evaluation_unify.py,
which UI-TARS says it follows; `qwen_vl` the evaluation that Qwen2.5-VL's authors published; `infigui_r1`
Reallm-Labs/InfiGUI-R1 eval/android_control/evaluate_android_control.py, the same with pixels of the resized picture;
`ui_s1` UI-S1's copy of it, which takes any swipe for any other; `agentcpm` OpenBMB/AgentCPM-GUI
eval/utils/evaluator.py; `gui_r1` ritzz-ai/GUI-R1 guir1/eval/eval_omni.py; `os_genesis` OS-Copilot/OS-Genesis
evaluation/android_control/ac_eval.py. Places are (x, y), boxes (left, top, right, bottom), in pixels of the step's own
screen; directions are the finger's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from stepscope.core.domain.geometry import Direction, Size
from stepscope.core.domain.pixel_budget import by_factor, is_steep
from stepscope.core.scoring.android_control_match import (
    F1_LIMIT,
    GROWTH,
    NEAR_LIMIT,
    RADIUS_LIMIT,
    ComparedAction,
    Place,
    ScreenMeasures,
    named,
    nearest_boxes,
    word_f1,
)
from stepscope.core.scoring.names import digits_beside

OS_ATLAS, QWEN, INFIGUI, UI_S1, AGENTCPM, GUI_R1, OS_GENESIS = RELEASED = (
    "os_atlas", "qwen_vl", "infigui_r1", "ui_s1", "agentcpm", "gui_r1", "os_genesis",
)  # fmt: skip

GRID = 1000
GENESIS_LIMIT = math.hypot(1080 * RADIUS_LIMIT, 2400 * RADIUS_LIMIT)
"""Pixels, whatever the screen (code: os_genesis)."""
_INFIGUI_FACTOR, _INFIGUI_MOST = 28, 6400 * 28 * 28
"""How InfiGUI-R1's script resizes pictures before it measures on them (code)."""

_CLICKS = ("tap", "long_press")
_NOWHERE: Place = (-100.0, -100.0)
"""Where a prediction without a place is said to be (code: os_atlas, gui_r1, os_genesis)."""
_NO_TEXT = "no input text"
"""What GUI-R1's model writes where an action has no text; it is compared like any (code)."""
_QWEN_KINDS = frozenset({*_CLICKS, "type", "open_app", "scroll", "press_key", "wait"})
COUNTED: Mapping[str, frozenset[str]] = {
    OS_ATLAS: _QWEN_KINDS | {"finish"},
    QWEN: _QWEN_KINDS,
    INFIGUI: _QWEN_KINDS,
    UI_S1: _QWEN_KINDS,
    AGENTCPM: (_QWEN_KINDS - {"open_app"}) | {"finish"},
    GUI_R1: frozenset({*_CLICKS, "double_tap", "hover", "type", "open_app", "scroll", "select"}),
    OS_GENESIS: _QWEN_KINDS | {"finish"},
}
"""Kinds of references that are counted. AgentCPM-GUI's data drop open_app and end each episode with a finish; GUI-R1's
step accuracy is over places and texts alone; Qwen's code knows no
finish."""
TITLES: Mapping[str, str] = {
    OS_ATLAS: "OS-Atlas's scorer",
    QWEN: "Qwen2.5-VL's scorer",
    INFIGUI: "InfiGUI-R1's scorer",
    UI_S1: "UI-S1's scorer",
    AGENTCPM: "AgentCPM-GUI's scorer",
    GUI_R1: "GUI-R1's scorer",
    OS_GENESIS: "OS-Genesis's scorer",
}


class ReleasedVerdict(NamedTuple):
    """`ground` is None for a step that has no part in the scorer's grounding accuracy."""

    right: bool
    same_kind: bool
    ground: bool | None
    why: str


def not_counted(scorer: str, kind: str) -> str:
    """Why the scorer leaves out references of this kind, "" where it counts them."""
    return "" if kind in COUNTED[scorer] else f"{TITLES[scorer]} does not count {kind} steps."


def verdict(
    scorer: str, reference: ComparedAction, prediction: ComparedAction, screen: ScreenMeasures, instruction: str = ""
) -> ReleasedVerdict:
    """The verdict on a step that is counted. `instruction` is what the prompt says of it, which os_genesis reads."""
    if scorer == OS_GENESIS:
        return _os_genesis(reference, prediction, instruction)
    return _JUDGES[scorer](reference, prediction, screen)


def infigui_size(screen: Size) -> Size:
    """The size of the picture on which InfiGUI-R1's script measures; one that it refuses keeps its own (ours)."""
    return screen if is_steep(screen) else by_factor(screen, _INFIGUI_FACTOR, 1, _INFIGUI_MOST)


def _os_atlas(reference: ComparedAction, prediction: ComparedAction, screen: ScreenMeasures) -> ReleasedVerdict:
    """Whole thousandths; keys and outcomes are kinds of their own; of texts the first word decides, brackets and all,
    since the rest is cut off by a slip."""
    if reference.kind != prediction.kind:
        return _differ(reference, prediction)
    if reference.kind in _CLICKS:
        away = math.dist(_on_grid(reference.place, screen), _on_grid(prediction.place, screen))
        right = away <= RADIUS_LIMIT * GRID
        why = f"{digits_beside(away / GRID, RADIUS_LIMIT)} away, limit {RADIUS_LIMIT}."
        return ReleasedVerdict(right, True, right if reference.kind == "tap" else None, why)
    if reference.text is not None and prediction.text is not None:
        first, other = (f"[{text}]".split()[0].lower() for text in (reference.text, prediction.text))
        if reference.text == prediction.text:
            return _agree("Both texts are equal.")
        right = first == other
        return ReleasedVerdict(right, True, None, f"Of texts the first word decides: {other}, reference {first}.")
    return _same_name(reference, prediction)


def _like_qwen(
    near: Callable[[Place, Place, Place], tuple[float, float, str]], any_swipe: bool = False
) -> Callable[[ComparedAction, ComparedAction, ScreenMeasures], ReleasedVerdict]:
    """The evaluation of Qwen2.5-VL's authors. `near` gives a distance, its limit and what it is a share of."""

    def inside(reference: Place | None, prediction: Place | None, screen: ScreenMeasures) -> ReleasedVerdict:
        if prediction is None:
            return ReleasedVerdict(False, True, False, "The prediction names no place.")
        if _in_enlarged(prediction, screen.candidates or ()):
            return ReleasedVerdict(True, True, True, "Inside a candidate box.")
        if reference is None:
            return ReleasedVerdict(False, True, False, "In no candidate box.")
        away, limit, of = near(reference, prediction, screen.size)
        beside = "In no candidate box." if screen.candidates else "The data names no candidate box."
        right = away <= limit
        return ReleasedVerdict(right, True, right, f"{digits_beside(away, limit)} {of} away, limit {limit:g}. {beside}")

    def judge(reference: ComparedAction, prediction: ComparedAction, screen: ScreenMeasures) -> ReleasedVerdict:
        if reference.kind == "open_app" and prediction.kind == "tap" and screen.candidates:
            return inside(_centre(screen.candidates[:4]), prediction.place, screen)._replace(ground=None)
        if reference.kind != prediction.kind:
            return _differ(reference, prediction)
        if reference.kind in _CLICKS:
            return inside(reference.place, prediction.place, screen)
        if reference.kind == "scroll" and any_swipe:
            return _agree("Any swipe counts for any other.")
        if reference.text is not None and prediction.text is not None:
            return _part_of(reference.text, prediction.text)
        return _same_detail(reference, prediction)

    return judge


def _in_fractions(reference: Place, prediction: Place, size: Place) -> tuple[float, float, str]:
    return math.hypot(*_apart(reference, prediction, size)), NEAR_LIMIT, "of the screen"


def _in_resized_pixels(reference: Place, prediction: Place, size: Place) -> tuple[float, float, str]:
    sent = infigui_size(Size(int(size[0]), int(size[1])))
    across, down = _apart(reference, prediction, size)
    away = math.hypot(across * sent.width, down * sent.height)
    return away, NEAR_LIMIT * max(sent.width, sent.height), "px of the resized picture"


def _apart(reference: Place, prediction: Place, size: Place) -> Place:
    """How far the prediction is to the right and below, in fractions that are taken before the difference, as in all of
    this code: at a limit the last bit decides."""
    return prediction[0] / size[0] - reference[0] / size[0], prediction[1] / size[1] - reference[1] / size[1]


def _agentcpm(reference: ComparedAction, prediction: ComparedAction, screen: ScreenMeasures) -> ReleasedVerdict:
    """A recorded long press is a click, since the order of branches reads it as one, and a predicted one never is;
    wait, finish and a question for the person are all "stop"."""
    wanted = _AGENTCPM_CLASSES.get(reference.kind, reference.kind)
    given = "long_point" if prediction.kind == "long_press" else _AGENTCPM_CLASSES.get(prediction.kind, prediction.kind)
    if wanted != given:
        return _differ(reference, prediction)
    if wanted == "click":
        if reference.place is None or prediction.place is None:
            return ReleasedVerdict(False, True, False, "The prediction names no place.")
        away, limit, of = _in_fractions(reference.place, prediction.place, screen.size)
        held = _in_nearest(reference.place, prediction.place, screen)
        right = held or away <= limit
        beside = "Inside one of the nearest boxes." if held else "In none of the nearest boxes."
        return ReleasedVerdict(right, True, right, f"{digits_beside(away, limit)} {of} away, limit {limit:g}. {beside}")
    if wanted == "stop":
        return _agree("Waiting, finishing and asking are one kind.")
    if reference.text is not None and prediction.text is not None:
        return _part_of(reference.text, prediction.text)
    return _same_detail(reference, prediction)


_AGENTCPM_CLASSES = {"tap": "click", "long_press": "click", "wait": "stop", "finish": "stop", "ask": "stop"}


def _gui_r1(reference: ComparedAction, prediction: ComparedAction, screen: ScreenMeasures) -> ReleasedVerdict:
    """Places and texts are compared whatever the kinds are."""
    same = reference.kind == prediction.kind
    beside = "" if same else f" The kind differs ({prediction.kind}, reference {reference.kind}), which does not count."
    if reference.place is not None:
        place = prediction.place or _NOWHERE
        across, down = _apart(reference.place, place, screen.size)
        right = across**2 + down**2 < RADIUS_LIMIT**2
        away = digits_beside(math.hypot(across, down), RADIUS_LIMIT)
        return ReleasedVerdict(right, same, right, f"{away} away, needed: below {RADIUS_LIMIT}.{beside}")
    share = gui_r1_f1(_gui_r1_text(reference), _gui_r1_text(prediction))
    right = share >= F1_LIMIT
    return ReleasedVerdict(right, same, None, f"Words shared with F1 {share:.2f}, needed: {F1_LIMIT}.{beside}")


def gui_r1_f1(text: str, other: str) -> float:
    """F1 over the sets of lower-case words without square brackets; 1 where each is one word and one of them is part
    of the other; 0 where either is empty (code: gui_r1)."""
    texts = [each.replace("[", "").replace("]", "").lower() for each in (text, other)]
    words, others = (set(each.split()) for each in texts)
    if len(words) == len(others) == 1:
        word, another = next(iter(words)), next(iter(others))
        if word in another or another in word:
            return 1.0
    return word_f1(*texts)


def _gui_r1_text(side: ComparedAction) -> str:
    if side.kind == "scroll":
        return Direction(side.detail).opposite.value
    return side.text if side.text is not None else _NO_TEXT


def _os_genesis(reference: ComparedAction, prediction: ComparedAction, instruction: str) -> ReleasedVerdict:
    """Whole pixels cut off; a scroll is also right when it is the way that the prompt asks for in so many words."""
    if reference.kind != prediction.kind:
        return _differ(reference, prediction)
    if reference.kind in _CLICKS:
        places = [
            tuple(math.trunc(side) for side in place or _NOWHERE) for place in (reference.place, prediction.place)
        ]
        away = math.dist(*places)
        right = away <= GENESIS_LIMIT
        return ReleasedVerdict(right, True, right, f"{away:.1f} px away, limit {GENESIS_LIMIT:.1f}.")
    if reference.kind == "type" and reference.text is not None and prediction.text is not None:
        share = word_f1(prediction.text, reference.text)
        right = reference.text == prediction.text or share > F1_LIMIT
        return ReleasedVerdict(right, True, None, f"Words shared with F1 {share:.2f}, needed: above {F1_LIMIT}.")
    if reference.kind == "scroll":
        way = Direction(prediction.detail).opposite.value
        if way in ("up", "down") and f"Scroll {way}" in instruction:
            return _agree(f"The prompt asks to scroll {way}.")
    return _same_name(reference, prediction)


def _differ(reference: ComparedAction, prediction: ComparedAction) -> ReleasedVerdict:
    return ReleasedVerdict(False, False, None, f"Action differs: {prediction.kind}, reference {reference.kind}.")


def _agree(why: str) -> ReleasedVerdict:
    return ReleasedVerdict(True, True, None, why)


def _same_name(reference: ComparedAction, prediction: ComparedAction) -> ReleasedVerdict:
    """Where keys and outcomes are kinds of their own, and all else must be equal (code: os_atlas, os_genesis)."""
    found = _same_detail(reference, prediction)
    return found._replace(same_kind=False) if reference.kind in ("press_key", "finish") and not found.right else found


def _same_detail(reference: ComparedAction, prediction: ComparedAction) -> ReleasedVerdict:
    """Directions, keys and outcomes of one kind, and whole texts; what has none of them agrees."""
    if (reference.detail, reference.text) == (prediction.detail, prediction.text):
        return _agree(f"Both are {named(reference)}.")
    words = f"{named(prediction)}, reference {named(reference)}"
    same_words = named(prediction) == named(reference)
    return ReleasedVerdict(False, True, None, "The text differs." if same_words else f"Action differs: {words}.")


def _part_of(reference: str, prediction: str) -> ReleasedVerdict:
    """One text is part of the other, case and outer spaces aside; an empty one is part of every text."""
    plain, other = reference.lower().strip(), prediction.lower().strip()
    right = plain in other or other in plain
    why = "One text is part of the other." if right else "Neither text is part of the other."
    return ReleasedVerdict(right, True, None, why)


def grid_place(place: Place, size: Place) -> Place:
    """The place that `os_atlas` measures from for this one, in pixels: its whole thousandth of the screen."""
    x, y = _thousandths(place, size)
    return x * size[0] / GRID, y * size[1] / GRID


def _on_grid(place: Place | None, screen: ScreenMeasures) -> Place:
    """Whole thousandths of the screen, to the nearest (ours: the model says them itself)."""
    if place is None:
        return _NOWHERE
    return _thousandths(place, screen.size)


def _thousandths(place: Place, size: Place) -> Place:
    return round(place[0] / size[0] * GRID), round(place[1] / size[1] * GRID)


def _centre(box: Sequence[float]) -> Place:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _in_enlarged(place: Place, boxes: Sequence[float]) -> bool:
    """Whether some box, enlarged about its centre, holds the place, edges included."""
    for start in range(0, len(boxes), 4):
        left, top, right, bottom = boxes[start : start + 4]
        (x, y), half_width, half_height = _centre(boxes[start : start + 4]), (right - left) / 2, (bottom - top) / 2
        if abs(place[0] - x) <= half_width * GROWTH and abs(place[1] - y) <= half_height * GROWTH:
            return True
    return False


def _in_nearest(reference: Place, prediction: Place, screen: ScreenMeasures) -> bool:
    """Whether one of the five boxes nearest to the reference, enlarged, holds the prediction."""
    edges = np.array(screen.boxes or ()).reshape(-1, 4)
    owner = np.zeros(len(edges), dtype=np.int64)
    near, _ = nearest_boxes(edges, owner, np.array([reference]), np.array([screen.size]))
    point = np.array(prediction) / np.array(screen.size)
    return bool(((near[:, :2] <= point) & (point <= near[:, 2:])).all(axis=1).any())


_JUDGES: Mapping[str, Callable[[ComparedAction, ComparedAction, ScreenMeasures], ReleasedVerdict]] = {
    OS_ATLAS: _os_atlas,
    QWEN: _like_qwen(_in_fractions),
    INFIGUI: _like_qwen(_in_resized_pixels),
    UI_S1: _like_qwen(_in_fractions, any_swipe=True),
    AGENTCPM: _agentcpm,
    GUI_R1: _gui_r1,
}
