"""Facts about this machine for `stepscope doctor`.

Libraries are asked for by their metadata: importing Qt, torch or a runtime only to name its version costs seconds and
may need what a server lacks. Their own tools are asked in processes of their own, with a time limit.
"""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stepscope.app.services.scoring import measures
from stepscope.app.services.version import INTERFACE, VERSION
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.lazy import lazy_module
from stepscope.core.settings import default_store_url

if TYPE_CHECKING:
    from sqlalchemy import exc as sqlalchemy_errors

    from stepscope.core.device.adb import server as adb_server
else:
    adb_server = lazy_module("stepscope.core.device.adb.server")
    sqlalchemy_errors = lazy_module("sqlalchemy.exc")

_LIBRARIES = (
    "numpy", "opencv-python-headless", "lxml", "SQLAlchemy", "alembic", "typer", "rich", "jinja2", "platformdirs",
    "PySide6", "qtawesome", "scipy", "nltk", "rouge-score", "rapidfuzz", "orjson", "torch", "torchvision",
    "transformers", "onnx", "onnxruntime", "onnxruntime-gpu", "tokenizers", "scikit-learn", "adbutils", "av",
    "ray",
)  # fmt: skip
_SECONDS = 20


def examine(store: str | None) -> dict[str, Any]:
    """The object of `doctor --json`. A null version means that the library is not installed."""
    return {
        "stepscope": {"version": VERSION, "interface": INTERFACE},
        "python": {
            "version": platform.python_version(),
            "executable": sys.executable,
            "platform": platform.platform(),
            "cores": os.cpu_count(),
        },
        "libraries": {name: installed(name) for name in _LIBRARIES},
        "window": _window(),
        "gpu": _gpu(),
        "onnxruntime": _onnxruntime(),
        "adb": _adb(),
        "fonts": _fonts(),
        "store": examine_store(store or default_store_url()),
        "sample": {"present": _sample()},
        "weights": _weights(),
        "measures": measures(),
    }


def _weights() -> dict[str, str]:
    """The models that need weights, and whether these are here."""
    from stepscope.models.registry import registry

    infos = (model.info for model in registry().models.values())
    return {info.name: f"{info.weights}: {info.weights_from}" for info in infos if info.weights != "none"}


def installed(name: str) -> str | None:
    """The installed version of a distribution, without importing it."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def examine_store(url: str) -> dict[str, Any]:
    """Where the store is, whether it can be written, and its schema, null for one that is not there or not readable.

    A SQLite file is only looked at; another database is asked through its driver.
    """
    from sqlalchemy.engine import make_url

    from stepscope.core.store.server import shown_address
    from stepscope.core.store.tables import SCHEMA

    try:
        address = make_url(url)
    except (sqlalchemy_errors.ArgumentError, ValueError):
        return {"url": "", "exists": False, "writable": False, "schema": None, "newest_schema": SCHEMA,
                "problem": "This is no address of a store."}  # fmt: skip
    known: dict[str, Any] = {"url": shown_address(address)}
    if address.get_backend_name() == "sqlite":
        known |= _examine_file(Path(address.database or ""))
    else:
        known |= _examine_server(url)
    return {**known, "newest_schema": SCHEMA}


def _examine_file(file: Path) -> dict[str, Any]:
    if not file.exists():
        parent = next((folder for folder in file.absolute().parents if folder.exists()), Path("/"))
        return {"exists": False, "writable": os.access(parent, os.W_OK), "schema": None, "problem": None}
    writable = os.access(file, os.W_OK) and os.access(file.absolute().parent, os.W_OK)
    schema = problem = None
    try:
        connection = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
        try:
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        finally:
            connection.close()
        schema = row[0] if row else None
    except sqlite3.Error as error:
        problem = str(error)
    return {"exists": True, "writable": writable, "schema": schema, "problem": problem}


def _examine_server(url: str) -> dict[str, Any]:
    from sqlalchemy import create_engine

    from stepscope.core.store import schema

    try:
        engine = create_engine(url)
        with engine.connect() as connection:
            found = schema.version(connection)
        engine.dispose()
    except (sqlalchemy_errors.SQLAlchemyError, ImportError) as error:
        return {"exists": False, "writable": False, "schema": None, "problem": " ".join(str(error).split())}
    return {"exists": found is not None, "writable": None, "schema": found, "problem": None}


def _window() -> dict[str, Any]:
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    display = next((f"{name}={os.environ[name]}" for name in names if os.environ.get(name)), None)
    qt = installed("PySide6")
    needs_none = platform.system() in ("Darwin", "Windows")
    return {
        "qt": qt,
        "web_engine": qt is not None and find_spec("PySide6") is not None and installed("PySide6_Addons") is not None,
        "icons": installed("qtawesome"),
        "display": display,
        "can_open": qt is not None and (needs_none or display is not None),
    }


def _gpu() -> dict[str, Any]:
    tool = shutil.which("nvidia-smi")
    return {"nvidia_smi": tool, "devices": _lines_of([tool, "-L"]) if tool else [], "torch": installed("torch")}


def _onnxruntime() -> dict[str, Any]:
    """The packages, what is wrong with them, the providers that are listed, and of each whether it works here."""
    from stepscope.models.runtimes import providers

    packages = providers.installed_packages()
    trials = providers.trials() if find_spec("onnxruntime") is not None else ()
    problem = providers.package_problem(packages)
    return {
        "packages": list(packages),
        **({"problem": problem} if problem else {}),
        "providers": [one.name for one in trials],
        **{one.name: f"does not work: {one.why_not}" if one.why_not else "works" for one in trials},
    }


def _adb() -> dict[str, Any]:
    """The adb program that would be used, whether its server runs (it is not started), and what makes video."""
    from stepscope.core.device.adb import link, scrcpy_file

    problem = None
    try:
        tool = adb_server.find_adb()
        port: int | None = link.server_port()
    except UserError as error:
        tool = port = None
        problem = str(error)
    words = _lines_of([str(tool), "--version"]) if tool else []
    return {
        "path": str(tool) if tool else None,
        "version": words[0] if words else None,
        "problem": problem,
        "port": port,
        "server": port is not None and link.answers(port),
        "video_decoder": f"PyAV {installed('av')}" if installed("av") else None,
        "scrcpy": scrcpy_file.in_words(),
    }


def _fonts() -> dict[str, Any]:
    lister, matcher = shutil.which("fc-list"), shutil.which("fc-match")
    sans = _lines_of([matcher, "-f", "%{family}", "sans"]) if matcher else []
    return {"count": len(_lines_of([lister])) if lister else None, "sans": sans[0] if sans else None}


def _sample() -> bool:
    """Whether the sample data that this project made is here."""
    from stepscope import resources

    return any((Path(place) / "sample").is_dir() for place in resources.__path__)


def _lines_of(command: Sequence[str]) -> list[str]:
    """What a tool prints, no lines when it fails or takes too long."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return []
    return [line.strip() for line in done.stdout.splitlines() if line.strip()] if done.returncode == 0 else []


@dataclass(frozen=True, slots=True)
class Readiness:
    """Whether this machine is ready: the one thing that is missing, "" for nothing, and in short what it has."""

    problem: str
    facts: tuple[str, ...]


def readiness(store: str) -> Readiness:
    """What somebody who begins should know, in one line. Asks tools, which takes a moment; the server of adb is not
    started, and nothing is sent to model servers."""
    from stepscope.models.chat import servers

    found = []
    with suppress(UserError):
        found.append(adb_server.find_adb())
    memory = gpu_memory()
    known: Sequence[object] = ()
    with suppress(UserError):
        known = servers.load()
    facts = (
        "no GPU" if memory is None else f"GPU {memory / 2**10:.0f} GB",
        "adb found" if found else "no adb",
        f"{len(known)} model server{'s' * (len(known) != 1)}" if known else "no model server",
    )
    return Readiness(_missing(store, memory), facts)


def _missing(store: str, memory: int | None) -> str:
    """The first thing that somebody would miss, "" where there is none. `memory` is that of the GPU in MiB."""
    place = examine_store(store)
    if place.get("problem"):
        return "The store cannot be read"
    if place.get("writable") is False:
        return "The store cannot be written: what is done now is lost"
    if not _sample():
        return "The sample is not installed"
    if not _window()["web_engine"]:
        return "Qt WebEngine is missing: no simulated phone, no web tasks"
    if memory == 0:
        return "The GPU does not answer"
    return ""


def gpu_memory() -> int | None:
    """MiB of the largest GPU that its own tool names, 0 where the tool fails, None without the tool."""
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return None
    lines = _lines_of([tool, "--query-gpu=memory.total", "--format=csv,noheader,nounits"])
    return max((int(line) for line in lines if line.isdigit()), default=0)


def diagnostics(store: str | None) -> str:
    """The report of `doctor` for a stranger who is to help: the user's own folder is `~`, whoever they are."""
    return "\n".join(report_lines(store)).replace(f"{Path.home()}{os.sep}", f"~{os.sep}") + "\n"


def report_lines(store: str | None) -> list[str]:
    """What `examine` finds in words, a line each."""
    lines = []
    for section, content in examine(store).items():
        lines.append(section)
        lines += [f"  {name}: {_words(value)}" for name, value in content.items()]
    return lines


def _words(value: object) -> str:
    if value is None or value == []:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
