"""What the page process is started with. Call `prepare` before the first Qt object: flags are read once, when the
browser starts, and hold for the whole process; that is one reason why pages have a process of their own."""

from __future__ import annotations

import os
from collections.abc import Collection

_FLAGS = (
    # UDP goes nowhere, as nothing else does.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    # One page is one process, and its scripts' memory has an end (MiB).
    "--renderer-process-limit=1",
    "--js-flags=--max-old-space-size=1024",
    # The same letters on every machine with the same libraries.
    "--font-render-hinting=none",
    "--disable-lcd-text",
    "--force-color-profile=srgb",
    # Drawing only what changed into an older picture shades slanted edges differently now and then.
    "--disable-partial-raster",
    # A wheel moves the page at once, so that what is seen next is where it went.
    "--disable-smooth-scrolling",
)
_SURROUNDINGS = {
    "QT_QPA_PLATFORM": "offscreen",  # whatever the platform of who started it: its window is for nobody
    "QT_SCALE_FACTOR": "1",
    "QT_ENABLE_HIGHDPI_SCALING": "0",
    "QT_QUICK_BACKEND": "software",  # the same on every machine, and sooner there with less memory than without a GPU
}


def prepare(allowed: Collection[str]) -> None:
    """Nothing but the hosts in `allowed` is reached, and for root there is no sandbox, who cannot have one."""
    os.environ.update(_SURROUNDINGS)
    os.environ.pop("QTWEBENGINE_REMOTE_DEBUGGING", None)  # it would let others on this machine into the pages
    os.environ["QTWEBENGINE_CHROMIUM_FLAGS"] = " ".join(flags(allowed))
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        os.environ.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")


def flags(allowed: Collection[str]) -> list[str]:
    """For the browser. An interceptor alone is no wall: `preconnect` and WebRTC go round it, and names are looked up
    before it is asked. So every connection goes to a proxy that there is not, and no name has an address."""
    hosts = sorted(allowed)
    bypass = ";".join(["<-loopback>", *hosts])
    rules = " , ".join(["MAP * ~NOTFOUND", *(f"EXCLUDE {host}" for host in hosts)])
    return ["--proxy-server=127.0.0.1:9", f"--proxy-bypass-list={bypass}", f'"--host-resolver-rules={rules}"', *_FLAGS]
