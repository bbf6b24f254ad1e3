"""The browser's page: it never leaves its place, opens nothing, is allowed nothing, and its questions are answered."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtWebEngineCore import (
    QWebEngineDownloadRequest,
    QWebEngineFullScreenRequest,
    QWebEngineNewWindowRequest,
    QWebEnginePage,
    QWebEnginePermission,
    QWebEngineProfile,
    QWebEngineScript,
    QWebEngineSettings,
)

from stepscope.resources.webtask.request_blocker import SCHEME, BlockedRequests

WORLD = QWebEngineScript.ScriptWorldId.ApplicationWorld
_SCRIPTS = Path(__file__).with_name("page")
_FILES = ("fields", "words", "places", "filling", "picture", "elements", "telling", "calls")
"""What the workbench knows of a page and does in it. It runs in a world of its own: it shares the elements with the
page's scripts and nothing else, so that no page can change what is read. Places are pixels of the page's picture: CSS
pixels times `scale`, from the top left of the document."""
_LOCAL_FILE = re.compile(r"Not allowed to load local resource: (file:\S*)")
_Attribute = QWebEngineSettings.WebAttribute
_SETTINGS = {
    _Attribute.LocalStorageEnabled: True,
    _Attribute.LocalContentCanAccessFileUrls: False,
    _Attribute.LocalContentCanAccessRemoteUrls: False,
    _Attribute.JavascriptCanAccessClipboard: False,
    _Attribute.JavascriptCanPaste: False,
    _Attribute.JavascriptCanOpenWindows: True,  # or the attempts could not be told
    _Attribute.AllowWindowActivationFromJavaScript: False,
    _Attribute.AllowGeolocationOnInsecureOrigins: False,
    _Attribute.PluginsEnabled: False,
    _Attribute.PdfViewerEnabled: False,
    _Attribute.FullScreenSupportEnabled: False,
    _Attribute.ScreenCaptureEnabled: False,
    _Attribute.WebRTCPublicInterfacesOnly: True,
    _Attribute.DnsPrefetchEnabled: False,
    _Attribute.HyperlinkAuditingEnabled: False,
    _Attribute.NavigateOnDropEnabled: False,
    _Attribute.ErrorPageEnabled: False,
    _Attribute.FocusOnNavigationEnabled: True,
}
_Navigation = QWebEnginePage.NavigationType


class PageProfile(QWebEngineProfile):
    """Off the record; no cookie is kept, nothing is cached, downloaded or permitted."""

    def __init__(self, refusals: BlockedRequests) -> None:
        super().__init__()
        self._refusals = refusals
        self.setHttpAcceptLanguage("en-US,en")
        self.setHttpCacheType(QWebEngineProfile.HttpCacheType.NoCache)
        self.setPersistentCookiesPolicy(QWebEngineProfile.PersistentCookiesPolicy.NoPersistentCookies)
        self.setPersistentPermissionsPolicy(QWebEngineProfile.PersistentPermissionsPolicy.AskEveryTime)
        # Who may set no cookie has no local storage either: pages may have theirs, and other hosts nothing.
        self.cookieStore().setCookieFilter(lambda request: request.origin.scheme() == SCHEME)
        self.setSpellCheckEnabled(False)
        self.downloadRequested.connect(self._refuse_download)
        for attribute, value in _SETTINGS.items():
            self.settings().setAttribute(attribute, value)
        self.settings().setUnknownUrlSchemePolicy(QWebEngineSettings.UnknownUrlSchemePolicy.DisallowUnknownUrlSchemes)

    def _refuse_download(self, request: QWebEngineDownloadRequest) -> None:
        request.cancel()
        self._refusals.add(request.url(), "other")


class WebPage(QWebEnginePage):
    """One page at `address`. `told` carries what its script (`page/*.js`) says by itself, `asked` what alert, confirm
    and prompt said, `left` that a script sent a form."""

    told = Signal(dict)
    asked = Signal(str)
    left = Signal()

    def __init__(self, profile: QWebEngineProfile, address: QUrl, refusals: BlockedRequests, parent: QObject) -> None:
        super().__init__(profile, parent)
        self.address = address
        self._refusals: BlockedRequests | None = refusals
        self._opening = False
        self._token = secrets.token_hex(16)
        self.setAudioMuted(True)
        self.scripts().insert(_script(self._token))
        self.permissionRequested.connect(_deny)
        self.fullScreenRequested.connect(_stay_small)
        self.newWindowRequested.connect(self._refuse_window)
        self.fileSystemAccessRequested.connect(lambda request: request.reject())
        self.registerProtocolHandlerRequested.connect(lambda request: request.reject())

    def retire(self) -> None:
        """Another page comes: what this one still does is nobody's."""
        self.blockSignals(True)
        self._refusals = None

    def open(self) -> None:
        self._opening = True
        self.load(self.address)

    def ask(self, name: str, argument: object, answered: Callable[[Any], None]) -> None:
        """Call one of `page/calls.js`; the answer is None where there is no page, else `{value}` or `{error, known}`. A
        page that hangs never answers."""
        code = f"globalThis.stepscope && stepscope({json.dumps(name)}, {json.dumps(argument)})"
        self.runJavaScript(code, WORLD.value, lambda text: answered(json.loads(text) if text else None))

    # --- what a page may want --------------------------------------------------------------------------------------

    # Qt calls these with a QUrl, whatever its stubs allow callers to give.
    def acceptNavigationRequest(  # type: ignore[override]
        self, url: QUrl, kind: QWebEnginePage.NavigationType, is_main: bool
    ) -> bool:
        if not is_main:
            return True  # the wall stands before it
        if self._opening:
            self._opening = False
            return True
        here = url.scheme() == SCHEME and url.host() == self.address.host()
        if kind == _Navigation.NavigationTypeFormSubmitted:
            self.left.emit()
        elif here and url.hasFragment() and kind != _Navigation.NavigationTypeReload:
            return True
        if not here:
            self._refuse(url, "file" if url.scheme() == "file" else "document")
        return False

    def createWindow(  # type: ignore[override]  # None is no window
        self, _kind: QWebEnginePage.WebWindowType
    ) -> QWebEnginePage | None:
        return None

    def chooseFiles(
        self, _mode: QWebEnginePage.FileSelectionMode, _old: Sequence[str], _types: Sequence[str]
    ) -> list[str]:
        self._refuse(QUrl("file:"), "file")
        return []

    def javaScriptAlert(self, _origin: QUrl, message: str) -> None:  # type: ignore[override]
        self.asked.emit(message)

    def javaScriptConfirm(self, _origin: QUrl, message: str) -> bool:  # type: ignore[override]
        self.asked.emit(message)
        return True

    def javaScriptPrompt(  # type: ignore[override]
        self, _origin: QUrl, message: str, default: str
    ) -> tuple[bool, str]:
        self.asked.emit(message)
        return True, default

    def javaScriptConsoleMessage(
        self, level: QWebEnginePage.JavaScriptConsoleMessageLevel, message: str, line: int, source: str
    ) -> None:
        """The page's own words are for nobody; what its script tells bears a mark that the page cannot know."""
        if message.startswith(self._token):
            self.told.emit(json.loads(message[len(self._token) :]))
        elif refused := _LOCAL_FILE.match(message):
            self._refuse(QUrl(refused[1]), "file")

    def _refuse_window(self, request: QWebEngineNewWindowRequest) -> None:
        self._refuse(request.requestedUrl(), "popup")

    def _refuse(self, url: QUrl, kind: str) -> None:
        if self._refusals is not None:
            self._refusals.add(url, kind)


@cache
def _code() -> str:
    """Read once: a program may be renewed while its pages are open."""
    parts = ((_SCRIPTS / f"{name}.js").read_text(encoding="utf-8") for name in _FILES)
    return f'"use strict";\n(() => {{\n{"".join(parts)}}})();'


def _script(token: str) -> QWebEngineScript:
    script = QWebEngineScript()
    script.setName("page")
    script.setSourceCode(_code().replace("@TOKEN@", token))
    script.setInjectionPoint(QWebEngineScript.InjectionPoint.DocumentCreation)
    script.setWorldId(WORLD.value)
    script.setRunsOnSubFrames(False)
    return script


def _deny(permission: QWebEnginePermission) -> None:
    permission.deny()


def _stay_small(request: QWebEngineFullScreenRequest) -> None:
    request.reject()
