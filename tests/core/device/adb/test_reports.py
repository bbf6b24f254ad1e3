"""What Android prints, in the forms of several versions."""

from __future__ import annotations

import time

import pytest

from stepscope.core.device.adb import reports
from stepscope.core.device.device import ScreenGeometry
from stepscope.core.domain.geometry import Size

ANDROID_14 = """DISPLAY MANAGER (dumpsys display)
  mViewports=[DisplayViewport{type=INTERNAL, valid=true, displayId=0, orientation=1, deviceWidth=2400}]
    mBaseDisplayInfo=DisplayInfo{"Built-in Screen", displayId 0", real 1080 x 2400, rotation 0, state ON, type INTERNAL}
    mOverrideDisplayInfo=DisplayInfo{"Built-in Screen", displayId 0", displayGroupId 0, FLAG_SECURE, FLAG_TRUSTED, \
real 2400 x 1080, largest app 2400 x 2289, smallest app 1080 x 969, 60.0 fps, rotation 1, state ON, \
committedState ON, type INTERNAL, app 2289 x 1080, density 420 (422.0 x 424.0) dpi}
"""
ANDROID_8 = (
    '    mOverrideDisplayInfo=DisplayInfo{"Built-in Screen, displayId 0", uniqueId "local:0", app 1440 x 2712, '
    "real 1440 x 2880, largest app 2712 x 2566, mode 1, defaultMode 1, rotation 0, density 560 (533.4 x 537.8) dpi, "
    "layerStack 0, state OFF, type BUILT_IN}"
)


def test_the_screen_in_dumpsys_display() -> None:
    assert reports.screen(ANDROID_14) == ScreenGeometry(Size(2400, 1080), 1, True)
    assert reports.screen(ANDROID_8) == ScreenGeometry(Size(1440, 2880), 0, False)
    assert reports.screen("Can't find service: display") is None
    assert reports.screen("mOverrideDisplayInfo=DisplayInfo{real 0 x 0, rotation 9}") is None


def test_a_screen_that_shows_only_the_time_is_off() -> None:
    assert reports.screen(ANDROID_8.replace("state OFF", "state DOZE")) == ScreenGeometry(Size(1440, 2880), 0, False)


def test_wm() -> None:
    assert reports.physical_size("Physical size: 1080x2400") == Size(1080, 2400)
    assert reports.physical_size("Physical size: 1440x3120\r\nOverride size: 1080x2340\r\n") == Size(1080, 2340)
    assert reports.physical_size("error: closed") is None
    assert reports.physical_size("Physical size: 0x0") is None
    assert reports.density("Physical density: 420\nOverride density: 480") == "480"


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("  mResumedActivity: ActivityRecord{d1 u0 com.x.notes/.Main t12}", "com.x.notes/com.x.notes.Main"),
        ("  topResumedActivity=ActivityRecord{d1 u0 com.x/com.y.Main t12}", "com.x/com.y.Main"),
        ("  mCurrentFocus=Window{7f u0 com.x/com.x.Main$Inner}", "com.x/com.x.Main$Inner"),
        ("  mFocusedApp=AppWindowToken{42 token=Token{4 ActivityRecord{4 u0 a.b/.C t14}}}", "a.b/a.b.C"),
        ("  mCurrentFocus=Window{7f u0 NotificationShade}", ""),
        ("", ""),
    ],
)
def test_what_is_in_front(words: str, found: str) -> None:
    assert reports.front(words) == found


@pytest.mark.parametrize(
    "part",
    ["\n", "\r\n", " ", "[\n", "[a\n", "package:a=", "com.x/.A\n", "ResumedActivity=ActivityRecord{ a",
     "mCurrentFocus=Window{ a/b ", "mFocusedApp=ActivityRecord{ ", "ResumedActivity\n", "Physical size:\n"],
)  # fmt: skip
def test_an_answer_made_to_be_slow_is_not(part: str) -> None:
    """The longest answer that is taken has 4 MB; a pattern that looks back and forth in 60 KB takes seconds."""
    words, start = part * (60_000 // len(part)), time.process_time()
    for read in (reports.properties, reports.front, reports.packages, reports.components, reports.physical_size):
        read(words)
    assert time.process_time() - start < 0.5


def test_the_activity_in_front_stands_in_the_middle_of_much_else() -> None:
    words = "  Task{1}\n" * 9000 + "  mFocusedApp=null\n  topResumedActivity=ActivityRecord{d1 u0 com.x/.Main t12}\n"
    assert reports.front(words + "noise " * 9000) == "com.x/com.x.Main"


def test_properties() -> None:
    listing = "[ro.product.model]: [Pixel 8]\r\n[ro.serialno]: [SECRET]\n[empty]: []\nnoise"
    assert reports.properties(listing) == {"ro.product.model": "Pixel 8", "ro.serialno": "SECRET", "empty": ""}


def test_packages_and_components() -> None:
    assert reports.packages("package:com.x\npackage:/data/app/base.apk=com.y\nWARNING: z") == ("com.x", "com.y")
    said = "2 activities found:\npriority=0 isDefault=true\n  com.x/.Main\n  com.y/com.y.Start\n"
    assert reports.components(said) == ("com.x/.Main", "com.y/com.y.Start")


def test_turning() -> None:
    assert reports.turned(Size(1080, 2400), 3) == Size(2400, 1080)
    assert reports.turned(Size(1080, 2400), 2) == Size(1080, 2400)
    assert reports.rotation("    SurfaceOrientation: 3") == 3
    assert reports.rotation("nothing") is None
