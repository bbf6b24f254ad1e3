"""Which parts of Qt may be passed on under the LGPL, and which of these the program needs.

Most of Qt comes under the LGPL. Some add-ons come under the GPL (or a commercial licence) only: a program that carries
one of them would be under the GPL as a whole. PySide6's wheels bring all of them, so what is taken is named here, and
whatever has no name here stays out.
"""

from __future__ import annotations

import re

NEEDED = frozenset({
    "Core", "Gui", "Widgets", "Network", "DBus", "OpenGL", "OpenGLWidgets", "Svg", "SvgWidgets", "Test", "PrintSupport",
    "XcbQpa", "WaylandClient", "WlShellIntegration",
    # what QtWebEngine is linked against; no QML of ours is run
    "WebEngineProcess", "WebEngineCore", "WebEngineWidgets", "WebChannel", "Positioning", "Qml", "QmlMeta", "QmlModels",
    "QmlWorkerScript", "Quick", "QuickWidgets",
})  # fmt: skip
"""Parts under the LGPL that the program needs, as their libraries are called."""

GPL_ONLY = frozenset({
    "CanvasPainter", "Charts", "Coap", "DataVisualization", "Graphs", "GraphsWidgets", "Grpc", "HttpServer", "Lottie",
    "Mqtt", "NetworkAuth", "Quick3D", "Quick3DPhysics", "QuickTimeline", "ShaderTools", "VirtualKeyboard",
    "WaylandCompositor",
})  # fmt: skip
"""Add-ons that Qt 6 offers under the GPL and under commercial licences, not under the LGPL."""

PLUGINS = frozenset({
    "iconengines", "imageformats", "platforminputcontexts", "platforms", "platformthemes", "styles", "tls",
    "wayland-decoration-client", "wayland-graphics-integration-client", "wayland-shell-integration",
    "xcbglintegrations",
})  # fmt: skip
"""Folders of plugins that are taken."""
LEFT_OUT = re.compile(r"virtualkeyboard|qpdf|qeglfs|qlinuxfb|qvnc|qvkkhrdisplay|qminimalegl|qgtk3")
"""Plugins in them that are not: the keyboard on the screen comes under the GPL, GTK's theme brings half of GTK, and the
others draw on no desktop."""

_LIBRARY = re.compile(r"(?:lib)?Qt6?(3D[A-Za-z0-9]*|[A-Z][A-Za-z0-9]*?)(?:\.abi3\.so|\.so[.\d]*|\.pyd|\.dll|\.dylib)?$")


def part_of(place: str) -> str:
    """The part of Qt of which the file is the library or the Python module, "" for any other file."""
    found = _LIBRARY.match(place.replace("\\", "/").rpartition("/")[2])
    return found[1] if found else ""


def is_wanted(place: str) -> bool:
    """Whether a file is wanted at this place in the bundle; of what does not belong to Qt, everything is."""
    parts = place.replace("\\", "/").split("/")
    if "PySide6" in parts and "qml" in parts:
        return False
    if "PySide6" in parts and "plugins" in parts:
        return parts[parts.index("plugins") + 1] in PLUGINS and LEFT_OUT.search(parts[-1]) is None
    if "PySide6" in parts and "translations" in parts:  # the program speaks English
        return parts[-1] == "en-US.pak"
    return part_of(place) in NEEDED or not part_of(place)
