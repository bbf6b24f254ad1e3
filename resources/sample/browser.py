"""The browser behind the simulated phone: nothing is kept, and nothing but the sample apps' files is read."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWebEngineCore import (
    QWebEnginePage,
    QWebEngineProfile,
    QWebEngineUrlRequestInfo,
    QWebEngineUrlRequestInterceptor,
)


class _FolderInterceptor(QWebEngineUrlRequestInterceptor):
    """Refuses every address that is not a file below `folder`."""

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = folder.resolve()

    def interceptRequest(self, info: QWebEngineUrlRequestInfo) -> None:
        url = info.requestUrl()
        inside = url.isLocalFile() and Path(url.toLocalFile()).resolve().is_relative_to(self._folder)
        if not inside and url.scheme() not in ("data", "about"):
            info.block(True)


class _ConsolePage(QWebEnginePage):
    """Remembers what the page complained about."""

    def __init__(self, profile: QWebEngineProfile, parent: QObject) -> None:
        super().__init__(profile, parent)
        self.complaints: list[str] = []

    def javaScriptConsoleMessage(
        self, level: QWebEnginePage.JavaScriptConsoleMessageLevel, message: str, line: int, source: str
    ) -> None:
        self.complaints.append(f"{source.rsplit('/', 1)[-1]}:{line}: {message}")


class SampleProfile(QWebEngineProfile):
    """Off the record, in English, fenced into the folder of the sample apps."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.setHttpAcceptLanguage("en-GB")
        self._fence = _FolderInterceptor(folder, self)
        self.setUrlRequestInterceptor(self._fence)

    def new_page(self, parent: QObject) -> _ConsolePage:
        return _ConsolePage(self, parent)
