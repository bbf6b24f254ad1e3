"""What trees of apps look like by the toolkit that the app is written with.

The classes and where the words stand are those that the toolkits' own code reports to Android's accessibility.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

_VIEW, _GROUP, _FRAME = "android.view.View", "android.view.ViewGroup", "android.widget.FrameLayout"
_LINEAR, _TEXT, _IMAGE = "android.widget.LinearLayout", "android.widget.TextView", "android.widget.ImageView"
_BUTTON, _FIELD, _SCROLL = "android.widget.Button", "android.widget.EditText", "android.widget.ScrollView"
_WIDGET = "androidx.appcompat.widget."
_COORDINATOR = "androidx.coordinatorlayout.widget.CoordinatorLayout"
_COMPAT = f"{_WIDGET}AppCompat"
_MATERIAL = "com.google.android.material."


@dataclass(frozen=True, slots=True)
class Toolkit:
    """One toolkit.

    `classes` are by the short class of the sample apps, `other` is for all that is not listed ("" leaves it). `frame`
    lies around the app's page, outermost first; `wrapper` around single elements; `label` and `icon` are what words and
    pictures become inside a touchable row. `ids` is the share of ids that are kept, `numbered` that of ids that say
    nothing; the others are missing. `words_in` is the only field that has words ("" leaves both). A row says the
    words of its parts joined by `row_words` (None: it does not), and has swallowed those parts when it is `merged`.
    """

    name: str
    frame: tuple[str, ...]
    wrapper: str
    label: str = _TEXT
    icon: str = _IMAGE
    classes: Mapping[str, str] = field(default_factory=dict)
    other: str = ""
    ids: float = 0.0
    numbered: float = 0.0
    words_in: str = ""
    row_words: str | None = None
    merged: bool = False


VIEWS = Toolkit("views", (_LINEAR, _FRAME, _FRAME), _FRAME, ids=0.6, numbered=0.15)
MATERIAL = Toolkit(
    "material",
    (f"{_WIDGET}FitWindowsLinearLayout", f"{_WIDGET}ContentFrameLayout", _COORDINATOR),
    "androidx.constraintlayout.widget.ConstraintLayout",
    label=f"{_MATERIAL}textview.MaterialTextView",
    icon=f"{_COMPAT}ImageView",
    classes={
        "Button": f"{_MATERIAL}button.MaterialButton",
        "ToggleButton": f"{_MATERIAL}chip.Chip",
        "TextView": f"{_MATERIAL}textview.MaterialTextView",
        "ImageButton": f"{_COMPAT}ImageButton",
        "ImageView": f"{_COMPAT}ImageView",
        "EditText": f"{_MATERIAL}textfield.TextInputEditText",
        "Switch": f"{_MATERIAL}materialswitch.MaterialSwitch",
        "CheckBox": f"{_MATERIAL}checkbox.MaterialCheckBox",
        "RadioButton": f"{_MATERIAL}radiobutton.MaterialRadioButton",
        "SeekBar": f"{_MATERIAL}slider.Slider",
    },
    ids=0.7,
    numbered=0.1,
)
COMPOSE = Toolkit(
    "compose",
    (_LINEAR, _FRAME, "androidx.compose.ui.platform.ComposeView", _VIEW),
    _VIEW,
    icon=_VIEW,
    classes={"TextView": _TEXT, "EditText": _FIELD},
    other=_VIEW,
)
FLUTTER = Toolkit(
    "flutter",
    (_LINEAR, _FRAME, "io.flutter.embedding.android.FlutterView", _VIEW, _VIEW),
    _VIEW,
    label=_VIEW,
    icon=_VIEW,
    classes={
        "Button": _BUTTON,
        "ImageButton": _BUTTON,
        "EditText": _FIELD,
        "ImageView": _IMAGE,
        "RecyclerView": _SCROLL,
    },
    other=_VIEW,
    words_in="content_description",
    row_words="\n",
    merged=True,
)
REACT_NATIVE = Toolkit(
    "react native",
    (_LINEAR, _FRAME, _FRAME, _GROUP),
    _GROUP,
    classes={"TextView": _TEXT, "EditText": _FIELD, "ImageView": _IMAGE, "RecyclerView": _SCROLL, "ListView": _SCROLL},
    other=_GROUP,
    ids=0.1,
    row_words=", ",
)
WEB_VIEW = Toolkit(
    "web view",
    (_LINEAR, _FRAME, _FRAME, "android.webkit.WebView", _VIEW),
    _VIEW,
    icon="android.widget.Image",
    classes={
        "TextView": _TEXT,
        "EditText": _FIELD,
        "Button": _BUTTON,
        "ImageButton": _BUTTON,
        "ToggleButton": "android.widget.ToggleButton",
        "ImageView": "android.widget.Image",
        "Image": "android.widget.Image",
        "CheckBox": "android.widget.CheckBox",
        "RadioButton": "android.widget.RadioButton",
        "ListView": "android.widget.ListView",
    },
    other=_VIEW,
    numbered=0.15,
    words_in="text",
)
TOOLKITS = (VIEWS, MATERIAL, COMPOSE, FLUTTER, REACT_NATIVE, WEB_VIEW)
