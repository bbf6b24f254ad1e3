"""What pages ask for from elsewhere: answered from here, let out, or refused and counted."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, QUrl
from PySide6.QtWebEngineCore import (
    QWebEngineUrlRequestInfo,
    QWebEngineUrlRequestInterceptor,
    QWebEngineUrlRequestJob,
    QWebEngineUrlScheme,
    QWebEngineUrlSchemeHandler,
)

SCHEME = "webtask"
ELSEWHERE = "/elsewhere/"
"""Under this path of a page stand the bundled files in place of addresses: `/elsewhere/https/<host>/<path>`. They are
of the page's own origin, so that whatever a page may ask of its own files it may ask of them."""
MOST_URLS = 300
"""Different addresses that are listed of one page (ours); all others of a host then are one."""
MOST_HOSTS = 100
"""Hosts that are listed so (ours); all others then are one."""
OTHER_HOSTS = "other hosts"
"""Stands for them; no host can have this name."""
_LONGEST_URL = 2000
_INSIDE = ("data", "blob", "about")
_TYPES = {
    ".js": b"text/javascript", ".css": b"text/css", ".woff2": b"font/woff2", ".woff": b"font/woff",
    ".png": b"image/png", ".svg": b"image/svg+xml", ".gif": b"image/gif",
}  # fmt: skip
_Kinds = QWebEngineUrlRequestInfo.ResourceType
_KINDS = {
    _Kinds.ResourceTypeMainFrame: "document",
    _Kinds.ResourceTypeSubFrame: "document",
    _Kinds.ResourceTypeStylesheet: "style",
    _Kinds.ResourceTypeScript: "script",
    _Kinds.ResourceTypeWorker: "script",
    _Kinds.ResourceTypeSharedWorker: "script",
    _Kinds.ResourceTypeServiceWorker: "script",
    _Kinds.ResourceTypeImage: "image",
    _Kinds.ResourceTypeFavicon: "image",
    _Kinds.ResourceTypeFontResource: "font",
    _Kinds.ResourceTypeMedia: "media",
    _Kinds.ResourceTypeXhr: "request",
    _Kinds.ResourceTypePing: "request",
    _Kinds.ResourceTypePrefetch: "request",
    _Kinds.ResourceTypeWebSocket: "socket",
}


def register_scheme() -> None:
    """Once, before the QApplication. The scheme is no secure one, or pages could not ask for plain http."""
    scheme = QWebEngineUrlScheme(SCHEME.encode())
    scheme.setSyntax(QWebEngineUrlScheme.Syntax.Host)
    QWebEngineUrlScheme.registerScheme(scheme)


class BlockedRequests:
    """What was refused to the page that stands there: counted by address and kind. `told` is called with lists of
    `{url, kind, host, times}` when `flush` is."""

    def __init__(self, told: Callable[[list[dict[str, object]]], object], soon: Callable[[], object]) -> None:
        self._told, self._soon = told, soon
        self._times: dict[tuple[str, str], int] = {}
        self._fresh: dict[tuple[str, str], str] = {}

    def clear(self) -> None:
        self._times.clear()
        self._fresh.clear()

    def add(self, url: QUrl, kind: str) -> None:
        host = host_of(url)
        key = (url.toString()[:_LONGEST_URL], kind)
        if key not in self._times and len(self._times) >= MOST_URLS:
            key = (f"{url.scheme()}://{host}/…"[:_LONGEST_URL], kind)
            if key not in self._times and len(self._times) >= MOST_URLS + MOST_HOSTS:
                key, host = (OTHER_HOSTS, kind), OTHER_HOSTS
        self._times[key] = self._times.get(key, 0) + 1
        self._fresh[key] = host
        self._soon()

    def flush(self) -> None:
        if self._fresh:
            fresh, self._fresh = self._fresh, {}
            self._told(
                [
                    {"url": key[0], "kind": key[1], "host": host, "times": self._times[key]}
                    for key, host in fresh.items()
                ]
            )


class RequestBlocker(QWebEngineUrlRequestInterceptor):
    """Asked before every request of the page at `page`, a URL of `SCHEME`. `answer` gives the bundled file that stands
    for an address, None without one."""

    def __init__(
        self, allowed: Collection[str], answer: Callable[[str], Path | None], refusals: BlockedRequests, parent: QObject
    ) -> None:
        super().__init__(parent)
        self.page = QUrl()
        self._allowed, self._answer, self._refusals = frozenset(allowed), answer, refusals

    def interceptRequest(self, info: QWebEngineUrlRequestInfo) -> None:
        url = info.requestUrl()
        if url.scheme() in _INSIDE:
            return
        kind = _KINDS.get(info.resourceType(), "other")
        if url.scheme() == SCHEME:
            if url.host() == self.page.host() and not url.path().startswith(ELSEWHERE):
                return
            outside = self._meant(url)
            if outside.isEmpty() or self._answer(outside.toString()) is None:
                self._pass(info, outside if not outside.isEmpty() else url, kind, moved=True)
            elif url.host() != self.page.host():
                info.redirect(self._stand_in(outside))
            return
        if url.scheme() in ("http", "https") and self._answer(url.toString()) is not None:
            info.redirect(self._stand_in(url))
            return
        self._pass(info, url, kind, moved=False)

    def passes(self, url: QUrl) -> bool:
        return url.scheme() in ("http", "https", "ws", "wss") and host_of(url) in self._allowed

    def _pass(self, info: QWebEngineUrlRequestInfo, url: QUrl, kind: str, *, moved: bool) -> None:
        if not self.passes(url):
            info.block(True)
            if info.firstPartyUrl().host() in (self.page.host(), url.host()):  # not one of the page before
                self._refusals.add(url, "file" if url.scheme() == "file" else kind)
        elif moved:
            info.redirect(url)

    def _stand_in(self, url: QUrl) -> QUrl:
        here = QUrl(self.page)
        here.setPath(f"{ELSEWHERE}{url.scheme()}/{url.host()}{url.path()}")
        return here

    def _meant(self, url: QUrl) -> QUrl:
        """The address that one of our scheme stands for: `//host/path` in a page, or beside a bundled file."""
        return meant(url) if url.path().startswith(ELSEWHERE) else _with_scheme(url, "https")


def host_of(url: QUrl) -> str:
    """As it goes over the wire: other letters than ASCII in Punycode."""
    return url.host(QUrl.ComponentFormattingOption.FullyEncoded)


def meant(url: QUrl) -> QUrl:
    """The address behind one under `ELSEWHERE`; empty for one that makes no sense."""
    scheme, _, rest = url.path().removeprefix(ELSEWHERE).partition("/")
    return QUrl(f"{scheme}://{rest}") if scheme in ("http", "https") else QUrl()


def _with_scheme(url: QUrl, scheme: str) -> QUrl:
    other = QUrl(url)
    other.setScheme(scheme)
    return other


class PageFiles(QWebEngineUrlSchemeHandler):
    """Serves the page itself and the bundled files. `html` is the page that stands there."""

    def __init__(self, answer: Callable[[str], Path | None], parent: QObject) -> None:
        super().__init__(parent)
        self.html = b""
        self._answer = answer

    def requestStarted(self, job: QWebEngineUrlRequestJob) -> None:
        url = job.requestUrl()
        path = url.path()
        if path in ("", "/"):
            _reply(job, b"text/html; charset=utf-8", self.html)
            return
        file = self._answer(meant(url).toString()) if path.startswith(ELSEWHERE) else None
        if file is None:
            job.fail(QWebEngineUrlRequestJob.Error.UrlNotFound)
            return
        _reply(job, _TYPES.get(file.suffix, b"application/octet-stream"), file.read_bytes())


def _reply(job: QWebEngineUrlRequestJob, kind: bytes, data: bytes) -> None:
    buffer = QBuffer(job)
    buffer.setData(data)
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    job.reply(QByteArray(kind), buffer)
