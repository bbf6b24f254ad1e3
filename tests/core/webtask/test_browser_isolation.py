"""Nothing that a page asks for leaves the machine or reads its files, unless its host is allowed."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from stepscope.core.errors import UsageError
from stepscope.core.webtask.actions import Click, GetHtml, WaitTillLoaded
from stepscope.core.webtask.browser import Browser
from stepscope.core.webtask.page import PageSource
from tests.core.webtask.conftest import Opens, until

ATTEMPTS = """<!doctype html><html><head>
<link rel="preconnect" href="http://127.0.0.1:PORT"><link rel="preconnect" href="http://localhost:PORT">
<link rel="dns-prefetch" href="http://localhost:PORT"><link rel="prefetch" href="http://127.0.0.1:PORT/prefetch">
<link rel="stylesheet" href="http://127.0.0.1:PORT/style.css">
<link rel="icon" href="http://127.0.0.1:PORT/icon.png">
<script src="http://127.0.0.1:PORT/script.js"></script>
<style>@font-face { font-family: F; src: url(http://127.0.0.1:PORT/font.woff) }
p { font-family: F; background: url(http://127.0.0.1:PORT/background.png) }</style></head><body>
<p>words</p><img src="http://127.0.0.1:PORT/image.png"><img src="http://[::1]:PORT/image6.png">
<img src="http://192.168.0.1/router.png"><img src="//127.0.0.1:PORT/bare.png">
<iframe src="http://127.0.0.1:PORT/frame"></iframe><video src="http://127.0.0.1:PORT/video.mp4"></video>
<object data="http://127.0.0.1:PORT/object"></object><form id="f" action="http://127.0.0.1:PORT/form"></form>
<script>
fetch('http://127.0.0.1:PORT/fetch', {mode: 'no-cors'}).catch(() => {});
fetch('http://localhost.:PORT/dotted', {mode: 'no-cors'}).catch(() => {});
const request = new XMLHttpRequest(); request.open('POST', 'http://127.0.0.1:PORT/xhr'); request.send('words');
new WebSocket('ws://127.0.0.1:PORT/socket');
try { new EventSource('http://127.0.0.1:PORT/events'); } catch (error) {}
navigator.sendBeacon('http://127.0.0.1:PORT/beacon', 'words');
try {
  const peer = new RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.1:UDP'}, {urls: 'turn:127.0.0.1:UDP',
    username: 'a', credential: 'b'}, {urls: 'turn:127.0.0.1:PORT?transport=tcp', username: 'a', credential: 'b'}]});
  peer.createDataChannel('words'); peer.createOffer().then(offer => peer.setLocalDescription(offer));
  peer.onicegatheringstatechange = () => { document.title = peer.iceGatheringState; };
} catch (error) { document.title = 'complete'; }
try { new Worker('http://127.0.0.1:PORT/worker.js'); } catch (error) {}
try { importScripts; } catch (error) {}
document.getElementById('f').submit();
</script></body></html>"""


class Listener:
    """TCP and UDP on loopback; `heard` counts connections and packets."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", 0))
        self.threads = [threading.Thread(target=work) for work in (self._accept, self._receive)]
        for thread in self.threads:
            thread.start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _address = self.tcp.accept()
                self.heard.append("tcp")
                connection.close()

    def _receive(self) -> None:
        while data := self.udp.recv(2000):
            self.heard.append("udp")
            if data == b"end":
                return

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self.tcp.shutdown(socket.SHUT_RDWR)
        self.tcp.close()
        self.udp.sendto(b"end", self.udp.getsockname())
        for thread in self.threads:
            thread.join(5)
        self.udp.close()


@pytest.fixture
def listener() -> Iterator[Listener]:
    listener = Listener()
    yield listener
    listener.close()


def test_no_way_out_leads_to_this_machine_and_every_request_is_listed(opened: Opens, listener: Listener) -> None:
    port, udp = listener.tcp.getsockname()[1], listener.udp.getsockname()[1]
    page = opened(ATTEMPTS.replace("PORT", str(port)).replace("UDP", str(udp)))
    page.do(WaitTillLoaded())
    until(lambda: page.look().title == "complete")
    wanted = {
        "style.css": "style", "script.js": "script", "font.woff": "font", "background.png": "image",
        "image.png": "image", "bare.png": "image", "image6.png": "image", "router.png": "image",
        "frame": "document", "video.mp4": "media", "fetch": "request", "xhr": "request", "beacon": "request",
        "form?": "document", "events": "request", "dotted": "request", "prefetch": "request", "object": "document",
        "socket": "socket",
    }  # fmt: skip
    assert {one.url.rsplit("/", 1)[1]: one.kind for one in page.blocked} == wanted
    assert {one.host for one in page.blocked} == {"127.0.0.1", "localhost.", "::1", "192.168.0.1"}
    assert listener.heard == []


@pytest.mark.parametrize(
    "words",
    [
        '<p>words<meta http-equiv="refresh" content="0;url=http://127.0.0.1:PORT/away">',
        "<p>words<script>onload = () => { location = 'http://127.0.0.1:PORT/away'; }</script>",
        "<p>words<script>onload = () => { location.replace('http://127.0.0.1:PORT/away'); }</script>",
    ],
)
def test_a_page_stays_where_it_is(opened: Opens, listener: Listener, words: str) -> None:
    page = opened(words.replace("PORT", str(listener.tcp.getsockname()[1])))
    until(lambda: page.blocked)
    assert [(one.url.rsplit("/", 1)[1], one.kind, one.times) for one in page.blocked] == [("away", "document", 1)]
    assert "words" in page.do(GetHtml()).text
    assert listener.heard == []


def test_a_frame_reloaded_again_and_again_is_one_line_that_counts(opened: Opens) -> None:
    page = opened("<script>for (let i = 0; i < 5; i++) fetch('http://far.example/x').catch(() => {})</script>")
    until(lambda: page.blocked and page.blocked[0].times == 5)
    assert [(one.url, one.kind, one.host) for one in page.blocked] == [
        ("http://far.example/x", "request", "far.example")
    ]


def test_addresses_without_end_are_listed_by_host(opened: Opens) -> None:
    page = opened("<script>for (let i = 0; i < 400; i++) fetch(`http://far.example/${i}`).catch(() => {})</script>")
    until(lambda: sum(one.times for one in page.blocked) == 400)
    assert len(page.blocked) == 301
    assert page.blocked[-1].url == "http://far.example/…"
    assert page.blocked[-1].times == 100


def test_hosts_without_end_are_one_at_last(opened: Opens) -> None:
    page = opened("<script>for (let i = 0; i < 600; i++) fetch(`http://far${i}.example/`).catch(() => {})</script>")
    until(lambda: sum(one.times for one in page.blocked) == 600)
    assert len(page.blocked) == 401
    last = page.blocked[-1]
    assert (last.url, last.host, last.times) == ("other hosts", "other hosts", 200)


FILES = """<p>words</p><img src="file://PATH"><iframe src="file://PATH"></iframe><script src="file://PATH"></script>
<link rel="stylesheet" href="file://PATH"><a id="a" href="file://PATH">away</a>
<input type="file" name="f" style="position: fixed; left: 0; top: 100px; width: 200px; height: 50px">
<script>
let read = 0;
const got = (words) => { if (words) document.title += 'read ' + words; };
const done = () => { read += 1; if (read === 3) document.title += 'tried'; };
fetch('file://PATH').then((answer) => answer.text()).then(got).catch(() => {}).finally(done);
fetch('file:///').then((answer) => answer.text()).then(got).catch(() => {}).finally(done);
const request = new XMLHttpRequest();
request.onloadend = () => { got(request.responseText); done(); };
request.open('GET', 'file://PATH');
request.send();
window.open('file://PATH');
document.getElementById('a').click();
</script>"""


def test_files_of_this_machine_are_not_read(opened: Opens, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret", encoding="utf-8")
    page = opened(FILES.replace("PATH", str(secret)))
    until(lambda: "tried" in page.look().title)
    page.do(Click(50, 125))  # a file chooser would hold up everything
    assert page.look().title == "tried"
    html = page.do(GetHtml()).text
    assert "words" in html
    assert "the secret" not in html
    listed = {one.url: one for one in page.blocked}
    assert listed[f"file://{secret}"].times >= 6  # picture, frame, script, style, fetch, XHR
    assert {one.kind for one in page.blocked} == {"file"}
    assert "file:" in listed  # the chooser


class Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = b"document.title = 'answered'"
        self.send_response(302 if self.path.startswith("/moved") else 200)
        self.send_header("Content-Type", "text/javascript")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Set-Cookie", "who=me")
        if self.path.startswith("/moved"):
            self.send_header("Location", f"http://127.0.0.1:{self.server.server_port}/elsewhere")  # type: ignore[attr-defined]
        self.end_headers()
        self.wfile.write(body)
        self.server.asked.append((self.path, self.headers.get("Cookie")))  # type: ignore[attr-defined]

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    server.asked = []  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield server
    server.shutdown()
    thread.join(5)
    server.server_close()


def test_a_host_that_is_allowed_is_reached_and_no_other(site: ThreadingHTTPServer) -> None:
    """The same server by its allowed name, by its number, and by a move from the one to the other."""
    port = site.server_port
    browser = Browser(allowed=("localhost",))
    try:
        for _ in range(2):
            page = browser.open(
                PageSource(
                    "test",
                    f"<script src='http://localhost:{port}/script.js'></script>"
                    f"<script src='http://127.0.0.1:{port}/number.js'></script>"
                    f"<script src='http://localhost:{port}/moved.js'></script>",
                    (),
                )
            )
            assert page.look().title == "answered"
            assert {one.url.rsplit("/", 1)[1] for one in page.blocked} == {"number.js", "elsewhere"}
    finally:
        browser.close()
    assert sorted(site.asked) == sorted([("/script.js", None), ("/moved.js", None)] * 2)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["*", "*.example.com", "<local>", "a;b", "a b", 'a"', "http://a", "a:80", "", ".a"])
def test_only_names_of_single_hosts_are_allowed(name: str) -> None:
    with pytest.raises(UsageError, match="is no host name"):
        Browser(allowed=(name,))


def test_what_one_page_leaves_behind_is_not_found_by_the_next(opened: Opens) -> None:
    page = opened(
        "<script>localStorage.who = 'me'; document.title = localStorage.who;"
        "document.cookie = 'who=me'; name = 'me'</script>"
    )
    assert page.look().title == "me"
    page = opened("<script>document.title = `${localStorage.who} ${document.cookie} ${name}`</script>")
    assert page.look().title == "undefined"


def test_nothing_is_permitted(opened: Opens) -> None:
    page = opened(
        """<script>
        const said = {};
        const note = (name) => (value) => { said[name] = value; if (Object.keys(said).length === 2)
          document.title = JSON.stringify(said); };
        Notification.requestPermission().then(note('notifications'));
        navigator.geolocation.getCurrentPosition(note('place'), (error) => note('place')(error.code));
        </script>"""
    )
    until(lambda: page.look().title)
    assert json.loads(page.look().title) == {"notifications": "denied", "place": 1}


def test_libraries_are_answered_from_here_whatever_the_host(opened: Opens) -> None:
    page = opened(
        """<link rel="stylesheet" href="https://maxcdn.bootstrapcdn.com/bootstrap/3.3.7/css/bootstrap.min.css">
        <script src="https://code.jquery.com/jquery-3.3.1.min.js"></script>
        <script src="http://mirror.example/ajax/libs/jquery/3.1.0/jquery.min.js" crossorigin="anonymous"></script>
        <script src="//maxcdn.bootstrapcdn.com/bootstrap/3.3.7/js/bootstrap.min.js"></script>
        <p class="hidden">words</p>
        <script>document.title = [jQuery.fn.jquery, typeof jQuery.fn.modal, $('p').css('display')].join(' ')</script>"""
    )
    version, modal, display = page.look().title.split()
    assert version.startswith("3.")
    assert (modal, display) == ("function", "none")
    assert page.blocked == ()
