"""Programs of the phone's shell: files, and what starts and describes apps."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable

from stepscope.core.domain.action import Type
from tests.device_side.dumpsys import dumpsys, getprop, settings, wm
from tests.device_side.phone import ADB_KEYBOARD, App, Phone
from tests.device_side.scrcpy import app_process
from tests.device_side.screen_programs import screencap, screenrecord, touch_input, uiautomator
from tests.device_side.shell import Program, Run, run_line

_LAUNCHER = "android.intent.category.LAUNCHER"


def cat(run: Run, words: list[str]) -> int:
    code = 0
    for name in words:
        if name in run.phone.files:
            run.out(run.phone.files[name])
        else:
            run.complain(f"cat: {name}: No such file or directory")
            code = 1
    return code


def rm(run: Run, words: list[str]) -> int:
    forced = any("f" in word for word in words if word.startswith("-"))
    missing = [w for w in words if not w.startswith("-") and run.phone.files.pop(w, None) is None]
    if missing and not forced:
        run.complain(f"rm: {missing[0]}: No such file or directory")
        return 1
    return 0


def ls(run: Run, words: list[str]) -> int:
    names = [word for word in words if not word.startswith("-")] or ["/"]
    found = [path for path in sorted(run.phone.files) if any(path == n or path.startswith(f"{n}/") for n in names)]
    for path in found:
        run.say(path)
    if not found:
        run.complain(f"ls: {names[0]}: No such file or directory")
    return 0 if found else 1


def echo(run: Run, words: list[str]) -> int:
    run.say(" ".join(words))
    return 0


def sleep(run: Run, words: list[str]) -> int:
    run.pause(float(words[0]))
    return 0


def sh(run: Run, words: list[str]) -> int:
    return run_line(run, words[words.index("-c") + 1], PROGRAMS) if "-c" in words else 0


def pm(run: Run, words: list[str]) -> int:
    """`list packages`, `path`, `install`, `resolve-activity` and `query-activities`, also as `cmd package`."""
    phone, rest = run.phone, [word for word in words[1:] if not word.startswith("-")]
    flags = [word for word in words[1:] if word.startswith("-")]
    what = words[0] if words else ""
    if what == "list" and rest[:1] == ["packages"]:
        for app in phone.apps:
            if not (("-3" in flags and app.system) or ("-s" in flags and not app.system)):
                run.say(f"package:{app.package}")
    elif what == "path":
        if all(app.package != rest[0] for app in phone.apps):
            return 1
        run.say(f"package:/data/app/{rest[0]}/base.apk")
    elif what == "install":
        return _install(run, words[1:])
    elif what in ("resolve-activity", "query-activities"):
        return _activities(run, words)
    else:
        run.complain(f"Error: unknown command '{what}'")
        return 255
    return 0


def _install(run: Run, words: list[str]) -> int:
    """The package's file, or as many bytes of standard input as `-S` says. What starts with `APK package` is an app."""
    streamed = "-S" in words
    data = run.read(int(words[words.index("-S") + 1])) if streamed else run.phone.files.get(words[-1], b"")
    match = re.match(rb"APK ([\w.]+)", data)
    if match is None:
        run.say("Failure [INSTALL_PARSE_FAILED_NOT_APK: Failed to parse base.apk]")
        return 1
    package = match[1].decode()
    if b"FULL" in data:
        run.say("Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE]")
        return 1
    if all(app.package != package for app in run.phone.apps):
        run.phone.apps.append(App(package))
        if package == ADB_KEYBOARD.partition("/")[0]:
            run.phone.keyboards.append(ADB_KEYBOARD)
    run.say("Success")
    return 0


def _activities(run: Run, words: list[str]) -> int:
    brief = "--brief" in words or "--components" in words
    package = words[-1] if words[0] == "resolve-activity" else ""
    found = [app for app in run.phone.apps if app.activity and package in ("", app.package)]
    if not found:
        run.say("No activity found")
        return 0
    for app in found:
        if brief and "--components" not in words:
            run.say("priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true")
        run.say(f"{app.package}/{app.activity}" if brief else f"  name={app.activity}\n  packageName={app.package}")
    return 0


def am(run: Run, words: list[str]) -> int:
    if words[:1] == ["start"]:
        component = words[words.index("-n") + 1] if "-n" in words else ""
        package = component.partition("/")[0] or words[-1]
        if not run.phone.start(package):
            run.complain(f"Error type 3\nError: Activity class {{{component}}} does not exist.")
            return 1
        run.say(f"Starting: Intent {{ cmp={component} }}")
    elif words[:1] == ["broadcast"]:
        _broadcast(run, words)
    elif words[:1] != ["force-stop"]:
        run.complain(f"Error: unknown command '{' '.join(words[:1])}'")
        return 255
    return 0


def _broadcast(run: Run, words: list[str]) -> None:
    phone, action = run.phone, words[words.index("-a") + 1]
    run.say(f"Broadcasting: Intent {{ act={action} }}")
    message = words[words.index("--es") + 2] if "--es" in words else ""
    if phone.settings["secure", "default_input_method"] == ADB_KEYBOARD:
        if action == "ADB_INPUT_B64":
            phone.perform(Type(base64.b64decode(message).decode()))
        elif action == "ADB_INPUT_TEXT":
            phone.perform(Type(message))
    run.say("Broadcast completed: result=0")


def monkey(run: Run, words: list[str]) -> int:
    package = words[words.index("-p") + 1]
    if _LAUNCHER not in words and "-c" in words:
        run.complain("** No activities found to run, monkey aborted.")
        return 252
    if not any(app.package == package and app.activity for app in run.phone.apps):
        run.say("** No activities found to run, monkey aborted.")
        return 252
    run.phone.start(package)
    run.say("Events injected: 1")
    return 0


def ime(run: Run, words: list[str]) -> int:
    phone = run.phone
    if words[:1] == ["list"]:
        for name in phone.keyboards:
            run.say(name if "-s" in words else f"{name}:\n  mId={name}")
    elif words[:1] in (["set"], ["enable"]):
        if words[1] not in phone.keyboards:
            run.complain(f"Unknown input method {words[1]} cannot be selected for user #0")
            return 255
        if words[0] == "set":
            phone.settings["secure", "default_input_method"] = words[1]
            run.say(f"Input method {words[1]} selected for user #0")
    elif words[:1] == ["reset"]:
        phone.settings["secure", "default_input_method"] = phone.keyboards[0]
    return 0


def cmd(run: Run, words: list[str]) -> int:
    """Services by their name."""
    services: dict[str, Program] = {
        "package": pm,
        "activity": am,
        "input_method": ime,
        "window": wm,
        "input": touch_input,
    }
    service = services.get(words[0]) if words else None
    if service is None:
        run.complain(f"cmd: Can't find service: {words[0] if words else ''}")
        return 20
    return service(run, words[1:])


def _constant(code: int) -> Callable[[Run, list[str]], int]:
    return lambda run, words: code


PROGRAMS: dict[str, Program] = {
    "am": am, "app_process": app_process, "cat": cat, "cmd": cmd, "dumpsys": dumpsys, "echo": echo, "getprop": getprop,
    "ime": ime, "input": touch_input, "ls": ls, "monkey": monkey, "pm": pm, "rm": rm, "screencap": screencap,
    "screenrecord": screenrecord, "settings": settings, "sh": sh, "sleep": sleep, "true": _constant(0),
    "uiautomator": uiautomator, "wm": wm, "svc": _constant(0), "chmod": _constant(0), "mkdir": _constant(0),
}  # fmt: skip


def programs_of(phone: Phone) -> dict[str, Program]:
    """What this phone has; more may be missing by a switch."""
    missing = {"screenrecord"} if phone.faults.no_screenrecord else set()
    return {name: program for name, program in PROGRAMS.items() if name not in missing}
