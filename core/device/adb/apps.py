"""Apps of a device: which there are, starting one, installing one."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from pathlib import Path

from stepscope.core.device.adb import reports
from stepscope.core.device.adb.link import AdbConnection, quoted
from stepscope.core.device.device import DeviceError, InstalledApp
from stepscope.core.regular_files import open_regular

Title = Callable[[str], str]
"""A title for people out of a package's name, "" where it knows none."""

_INSTALL_SECONDS = 180.0
_SEND_SHARE = 0.95
"""Of the progress; the device's own work is the rest."""
_CATEGORY = "android.intent.category.LAUNCHER"
_PACKAGE = re.compile(r"[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)+")
_FAILURE = re.compile(r"Failure \[([A-Z_0-9]+)(?::\s*([^\]]*))?")
_REASONS = {
    "INSTALL_FAILED_INSUFFICIENT_STORAGE": ("the phone has no room for it", "Free some space on the phone."),
    "INSTALL_FAILED_UPDATE_INCOMPATIBLE": (
        "an app of this name with another signature is there", "Uninstall that one first; its data go with it."),
    "INSTALL_FAILED_VERSION_DOWNGRADE": ("a newer version is there", "Uninstall that one first."),
    "INSTALL_FAILED_OLDER_SDK": ("it needs a newer Android", "Take a build for this phone's version."),
    "INSTALL_FAILED_DEPRECATED_SDK_VERSION": ("it was made for too old an Android", "Take a newer build."),
    "INSTALL_FAILED_NO_MATCHING_ABIS": ("it has no code for this phone's processor", "Take the build for it."),
    "INSTALL_FAILED_USER_RESTRICTED": (
        "the phone forbids it", "Allow “Install via USB” in the developer options, and confirm on the phone."),
    "INSTALL_FAILED_VERIFICATION_FAILURE": (
        "the phone's check of apps refused it", "Switch off “Verify apps over USB” in the developer options."),
    "INSTALL_FAILED_TEST_ONLY": ("it is a test build", "Build it without android:testOnly."),
    "INSTALL_FAILED_MISSING_SPLIT": ("it is one part of several", "Take a single APK."),
    "INSTALL_FAILED_ABORTED": ("somebody said no on the phone", "Try again and confirm on the phone."),
    "INSTALL_PARSE_FAILED_NOT_APK": ("the file is no app", "Choose a file that ends in .apk."),
    "INSTALL_PARSE_FAILED_NO_CERTIFICATES": ("it is not signed", "Sign it first."),
}  # fmt: skip


class Apps:
    """Raises DeviceError and its kin everywhere."""

    def __init__(self, link: AdbConnection, title: Title = lambda package: "") -> None:
        self._link, self._title = link, title

    def all(self) -> tuple[InstalledApp, ...]:
        """What can be started and what a person installed, by title."""
        names = set(self._startable())
        names.update(reports.packages(self._link.text(quoted("pm", "list", "packages", "-3"))))
        apps = (InstalledApp(name, self._title(name) or titled(name)) for name in names)
        return tuple(sorted(apps, key=lambda app: (app.title.casefold(), app.package)))

    def _startable(self) -> list[str]:
        action = "android.intent.action.MAIN"
        said = self._link.text(
            quoted("cmd", "package", "query-activities", "--brief", "-a", action, "-c", _CATEGORY), seconds=15
        )
        return [component.partition("/")[0] for component in reports.components(said)]

    def find(self, name: str) -> str:
        """The package of an app named by package or title. Raises DeviceError where there is none, or more than one."""
        wanted = name.strip().casefold()
        apps = self.all()
        for matches in (
            [app for app in apps if app.package.casefold() == wanted],
            [app for app in apps if app.title.casefold() == wanted],
            [app for app in apps if wanted and wanted in app.title.casefold()],
        ):
            if len(matches) == 1:
                return matches[0].package
            if matches:
                several = ", ".join(app.package for app in matches[:5])
                raise DeviceError(f"more than one app is called {name!r}", hint=f"Name the package: {several}.")
        if _PACKAGE.fullmatch(name.strip()):
            return name.strip()  # an app of the system that the list leaves out
        raise DeviceError(f"no app called {name!r} is on the device", hint="Look at the list of apps.")

    def launch(self, name: str) -> None:
        """Start an app by package or title."""
        package = self.find(name)
        said = self._link.text(quoted("cmd", "package", "resolve-activity", "--brief", "-c", _CATEGORY, package))
        found = [known for known in reports.components(said) if known.startswith(f"{package}/")]
        if found:
            said = self._link.text(quoted("am", "start", "-n", found[-1]))
            if "Error" in said:
                raise DeviceError(f"{package} does not start: {said.splitlines()[-1]}")
            return
        said = self._link.text(quoted("monkey", "-p", package, "-c", _CATEGORY, "1"))
        if "Events injected: 1" not in said:
            raise DeviceError(f"{package} has nothing to start", hint="Start it by hand, or choose another app.")

    def install(self, path: Path, progress: Callable[[float], object]) -> None:
        """Send an APK and install it over an older one."""
        remote = f"/data/local/tmp/stepscope-{secrets.token_hex(6)}.apk"
        try:
            size = path.stat().st_size
            with open_regular(path) as file:
                self._link.push(file, remote, lambda sent: progress(_SEND_SHARE * sent / max(size, 1)))
        except OSError as error:
            raise DeviceError(f"the file cannot be read: {error.strerror}", place=path) from error
        try:
            said = self._link.text(quoted("pm", "install", "-r", remote), seconds=_INSTALL_SECONDS)
        finally:
            self._link.run(quoted("rm", "-f", remote))
        if not said.endswith("Success"):
            raise _refused(path, said)
        progress(1.0)


def _refused(path: Path, said: str) -> DeviceError:
    match = _FAILURE.search(said)
    code = match[1] if match else ""
    if code in _REASONS:
        words, hint = _REASONS[code]
        return DeviceError(f"not installed: {words}", place=path, hint=hint)
    reason = (match[2] or code) if match else (said.splitlines() or ["the device gives no reason"])[-1]
    return DeviceError(f"not installed: {reason}", place=path)


TITLES = {
    "com.amazon.mShop.android.shopping": "Amazon Shopping",
    "com.android.camera2": "Camera",
    "com.android.deskclock": "Clock",
    "com.android.dialer": "Phone",
    "com.android.documentsui": "Files",
    "com.android.mms": "Messages",
    "com.android.vending": "Play Store",
    "com.facebook.katana": "Facebook",
    "com.facebook.orca": "Messenger",
    "com.google.android.GoogleCamera": "Camera",
    "com.google.android.apps.docs": "Drive",
    "com.google.android.apps.messaging": "Messages",
    "com.google.android.apps.nbu.files": "Files",
    "com.google.android.deskclock": "Clock",
    "com.google.android.dialer": "Phone",
    "com.google.android.gm": "Gmail",
    "com.google.android.googlequicksearchbox": "Google",
    "com.google.android.youtube": "YouTube",
    "com.netflix.mediaclient": "Netflix",
    "com.reddit.frontpage": "Reddit",
    "com.sec.android.app.sbrowser": "Samsung Internet",
    "com.spotify.music": "Spotify",
    "com.ubercab": "Uber",
    "com.whatsapp": "WhatsApp",
    "com.zhiliaoapp.musically": "TikTok",
    "org.telegram.messenger": "Telegram",
}
_PLAIN = frozenset(("com", "org", "net", "io", "android", "google", "app", "apps"))
"""Parts of a package's name that say nothing of the app."""


def titled(package: str) -> str:
    """A title for people: a known one, else the last telling word of the package's name."""
    known = TITLES.get(package)
    if known:
        return known
    words = [word for word in package.split(".") if word not in _PLAIN]
    return (words[-1] if words else package).replace("_", " ").capitalize()
