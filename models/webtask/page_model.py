"""Models that fill in web pages by name: `page:SERVER/MODEL` behind a server that was added, `page:local/FILE.gguf` out
of a file, each with settings behind a question mark (`models.webtask.page_settings`)."""

from __future__ import annotations

from pathlib import Path

from stepscope.core.domain.model_name import PAGES, SERVED, split_name
from stepscope.core.domain.prediction import Task
from stepscope.core.errors import UsageError
from stepscope.core.evaluation.predictor import ModelInfo
from stepscope.core.frozen import dataclass
from stepscope.core.webtask.pool import PagePool
from stepscope.core.webtask.predictor import PagePredictor
from stepscope.models.chat.chat import ServedChat
from stepscope.models.chat.servers import ChatServer, server_and_model
from stepscope.models.webtask import local
from stepscope.models.webtask.page_settings import OPTIONS, PageSettings, page_settings, set_name
from stepscope.models.webtask.prompt import VERSION
from stepscope.models.webtask.solver import PageModel

MOST_PAGES = 4
"""Pages that are open at once, each in a process of some 290 MB, where the server takes as many questions: most of the
time they wait for it (ours)."""
_SOURCE = "TurkingBench (Xu et al. 2024), section 4; prompt of this project"


@dataclass(frozen=True, slots=True)
class PageModelName:
    """A name taken apart. `server` and `model`, or `file` where the model is out of a file here."""

    settings: PageSettings
    server: ChatServer | None = None
    model: str = ""
    file: Path | None = None

    @property
    def title(self) -> str:
        who = f"{self.model} at {self.server.name}" if self.server is not None else f"{self.model} on this machine"
        return f"{who} · {self.settings.words}"

    @property
    def weights(self) -> str:
        return f"the server {self.server.name}, {self.server.url}" if self.server is not None else str(self.file)

    @property
    def name(self) -> str:
        """The name as it is written, with what is set other than usual."""
        plain = f"{local.PREFIX}{self.file}" if self.server is None else f"{self.server.name}/{self.model}"
        return set_name(f"{PAGES}{plain}", self.settings)


def page_model_name(name: str) -> PageModelName:
    """What the name says. Raises UsageError for a server that was not added, for a file that there is not, for settings
    that cannot be, and for pictures where the model reads text only."""
    plain, given = split_name(name)
    settings = page_settings(plain, given)
    rest = plain.removeprefix(PAGES)
    if local.is_file(rest):
        file = local.file_of(rest)
        if settings.vision and local.projector(file) is None:
            hint = "Leave vision out, or put the model's mmproj file beside it."
            raise UsageError("This model reads text only.", place=file, hint=hint)
        return PageModelName(settings, model=file.stem, file=file)
    server, model = server_and_model(f"{SERVED}{rest}")
    if settings.vision and not server.pictures:
        hint = "Leave vision out, or add the server again without --text-only."
        raise UsageError(f"The server {server.name} was added for text only.", hint=hint)
    return PageModelName(settings, server, model)


def info_of(name: str) -> ModelInfo:
    """What such a model is called, needs and comes from; nothing is asked. Raises as `page_model_name`."""
    found = page_model_name(name)
    return ModelInfo(
        name=found.name,
        title=found.title,
        task=Task.WEBTASK,
        description="Shows a language model the page and its fields, asks it for a program of actions, and does what "
        "it says. How much of the page it sees, demonstrations and pictures are its settings.",
        source=_SOURCE,
        runtime="service",
        stand_in=False,
        inputs=("text",),
        batches=True,
        version=VERSION,
        weights_from=found.weights,
        devices=("cpu",) if found.server is not None else ("cpu", "cuda"),
        settings=OPTIONS,
        demonstrations=found.settings.demos,
    )


def load(name: str, *, seed: int = 0, device: str = "auto") -> PagePredictor:
    """Raises as `page_model_name`. The seed draws the run's demonstrations, not here; the device matters to a file
    alone."""
    found = page_model_name(name)
    at_once = 1 if found.server is None else min(found.server.parallel, MOST_PAGES)
    return PagePredictor(info_of(name), _solver(found, device), pool=PagePool(at_once))


def model_files(name: str) -> tuple[Path, ...]:
    """The files that the model is loaded from; none of one behind a server. Raises as `page_model_name`."""
    file = page_model_name(name).file
    if file is None:
        return ()
    sees = local.projector(file)
    return (file,) if sees is None else (file, sees)


def _solver(found: PageModelName, device: str) -> PageModel:
    if found.server is not None:
        return PageModel(ServedChat(found.server, found.model), found.settings)
    assert found.file is not None
    chat = local.LocalChat(found.file, context=found.settings.context, device=device)
    return PageModel(chat, found.settings, count=chat.count)
