"""What the phone says of itself: `dumpsys`, `wm`, `getprop`, `settings`, in the words of Android 14."""

from __future__ import annotations

from collections.abc import Callable

from tests.device_side.phone import Phone
from tests.device_side.shell import Run


def dumpsys(run: Run, words: list[str]) -> int:
    phone, service = run.phone, words[0] if words else ""
    texts: dict[str, Callable[[Phone], str]] = {
        "display": _display,
        "window": _window,
        "activity": _activity,
        "power": _power,
        "input_method": _input_method,
        "input": _input,
        "package": lambda phone: f"  Package [{words[-1]}] (1a2b3c):\n    versionCode=1 minSdk=26\n    versionName=1.0",
    }
    if service not in texts:
        run.complain(f"Can't find service: {service}")
        return 1
    run.say(texts[service](phone))
    return 0


def _display(phone: Phone) -> str:
    size = phone.claimed_size
    width, height = (size.height, size.width) if phone.turned else (size.width, size.height)
    return (
        f"DISPLAY MANAGER (dumpsys display)\n  mViewports=[DisplayViewport{{type=INTERNAL, valid=true, isActive=true, "
        f"displayId=0, uniqueId='local:4619827259835644672', physicalPort=0, orientation={phone.rotation}, "
        f"logicalFrame=Rect(0, 0 - {width}, {height}), physicalFrame=Rect(0, 0 - {width}, {height}), "
        f"deviceWidth={width}, deviceHeight={height}}}]\n"
        f"  mScreenState={'ON' if phone.on else 'OFF'}\n"
        f'    mOverrideDisplayInfo=DisplayInfo{{"Built-in Screen", displayId 0, state {"ON" if phone.on else "OFF"}, '
        f"real {width} x {height}, app {width} x {height}, rotation {phone.rotation}}}"
    )


def _window(phone: Phone) -> str:
    return (
        f"  mCurrentFocus=Window{{7f2c6d1 u0 {_whole(phone.screens.activity)}}}\n"
        f"  mFocusedApp=ActivityRecord{{98ab12c u0 {phone.screens.activity} t42}}\n"
        f"  mRotation=ROTATION_{90 * phone.rotation}\n  mDisplayRotation=ROTATION_{90 * phone.rotation}\n"
        f"  mAwake={str(phone.on).lower()}"
    )


def _whole(activity: str) -> str:
    package, _, name = activity.partition("/")
    return f"{package}/{package}{name}" if name.startswith(".") else activity


def _activity(phone: Phone) -> str:
    record = f"ActivityRecord{{98ab12c u0 {phone.screens.activity} t42}}"
    return f"ACTIVITY MANAGER ACTIVITIES\n  topResumedActivity={record}\n  ResumedActivity: {record}"


def _power(phone: Phone) -> str:
    return (
        f"POWER MANAGER (dumpsys power)\n  mWakefulness={'Awake' if phone.on else 'Asleep'}\n"
        f"  mHoldingDisplaySuspendBlocker={str(phone.on).lower()}\nDisplay Power: state={'ON' if phone.on else 'OFF'}"
    )


def _input_method(phone: Phone) -> str:
    return f"  mCurMethodId={phone.settings['secure', 'default_input_method']}\n  mInputShown=false"


def _input(phone: Phone) -> str:
    return f"  Viewport INTERNAL: displayId=0, orientation={phone.rotation}\n    SurfaceOrientation: {phone.rotation}"


def wm(run: Run, words: list[str]) -> int:
    phone, what = run.phone, words[0] if words else ""
    if what == "size":
        run.say(f"Physical size: {phone.claimed_size.width}x{phone.claimed_size.height}")
    elif what == "density":
        run.say("Physical density: 420")
    elif what in ("user-rotation", "set-user-rotation"):
        rest = words[1:]
        if rest[:1] == ["lock"]:
            phone.settings["system", "accelerometer_rotation"] = "0"
            phone.rotate(int(rest[1]) if rest[1:] else phone.rotation)
        elif rest[:1] == ["free"]:
            phone.settings["system", "accelerometer_rotation"] = "1"
        else:
            locked = phone.settings["system", "accelerometer_rotation"] == "0"
            run.say(f"lock {phone.rotation}" if locked else "free")
    else:
        run.complain(f"Unknown command: {what}")
        return 255
    return 0


def properties(phone: Phone) -> dict[str, str]:
    return {
        "ro.product.model": phone.model,
        "ro.product.manufacturer": "Stepscope",
        "ro.product.brand": "stepscope",
        "ro.product.device": "testphone",
        "ro.product.name": "testphone",
        "ro.build.version.release": phone.release,
        "ro.build.version.sdk": str(phone.sdk),
        "ro.serialno": phone.serial,
        "ro.boot.serialno": phone.serial,
        "ro.product.cpu.abi": "arm64-v8a",
        "sys.boot_completed": "1",
    }


def getprop(run: Run, words: list[str]) -> int:
    known = properties(run.phone)
    if words:
        run.say(known.get(words[0], words[1] if words[1:] else ""))
    else:
        for name, value in known.items():
            run.say(f"[{name}]: [{value}]")
    return 0


def settings(run: Run, words: list[str]) -> int:
    rest = words[2:] if words[:1] == ["--user"] else words
    if rest[:1] == ["get"]:
        run.say(run.phone.settings.get((rest[1], rest[2]), "null"))
    elif rest[:1] == ["put"]:
        run.phone.put(rest[1], rest[2], rest[3])
    else:
        run.complain("Invalid command")
        return 255
    return 0
