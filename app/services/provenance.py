"""Origin of results, which says as what they may be shown: data that this project made itself is a sample, models that
only show the machinery are stand-ins, and no score of either is a finding."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from stepscope import resources
from stepscope.core.domain.model_name import split_name
from stepscope.core.domain.partitions import FEASIBILITY, TRAIN, partition_of
from stepscope.core.domain.run import Run
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.regular_files import open_regular

if TYPE_CHECKING:
    from stepscope.models.learned import model_folders
else:
    model_folders = lazy_module("stepscope.models.learned.model_folders")

SAMPLE = Path(resources.__file__).resolve().parent / "sample" / "episodes"
"""The sample that this project made."""

SAMPLE_WEB = SAMPLE.with_name("webtasks")
"""The same of web tasks."""

BUILD_MANIFEST = "manifest.json"
"""What `stepscope sample build` writes into its folder."""

UNSEEN_APPS = "app_unseen"
"""The split of such a folder with the apps that nothing is trained on."""

_SAMPLES = {SAMPLE: "Sample", SAMPLE_WEB: "Sample web tasks"}

PROCEDURES = "#procedures"
"""Stands behind a source's path, in the store and in sessions, where its episodes are shown as procedures."""


def source_title(path: Path, as_procedures: bool = False) -> str:
    """What people call the data at a path."""
    name = _SAMPLES.get(path, path.name)
    return f"{name} (procedures)" if as_procedures else name


def title_of_key(key: str) -> str:
    """The same for what sessions and runs call the data: its path, perhaps with PROCEDURES behind."""
    return source_title(Path(key.removesuffix(PROCEDURES)), key.endswith(PROCEDURES))


def data_of(key: str) -> str:
    """The path of the data, whether or not its episodes are shown as procedures."""
    return key.removesuffix(PROCEDURES)


def is_sample(source: str | Path) -> bool:
    """Whether data lies in a sample's folder."""
    return any(sample in (Path(source), *Path(source).parents) for sample in _SAMPLES)


_BUILD_MARK = re.compile(rb'"format"\s*:\s*"stepscope-sample-build"')
_HEAD_BYTES = 512


@lru_cache(maxsize=256)
def is_generated(source: str | Path) -> bool:
    """Whether data was made by `stepscope sample build`: its folder, or that of one of its episodes. Told by the head
    of the manifest there, once a process."""
    place = Path(source)
    for folder in (place, place.parent):
        try:
            with open_regular(folder / BUILD_MANIFEST) as stream:
                if _BUILD_MARK.search(stream.read(_HEAD_BYTES)):
                    return True
        except OSError:
            continue
    return False


def is_made_here(source: str | Path) -> bool:
    """Whether this project made the data: it is the sample, or was generated. No score over it is a finding."""
    return bool(_made(source))


def _made(source: str | Path) -> str:
    plain = data_of(str(source))
    return "sample" if is_sample(plain) else "generated" if is_generated(plain) else ""


NO_FINDING = "not a finding"


def sample_badge(source: str | Path) -> str:
    """What stands beside every score over that data, in words for a badge; "" where this project did not make it."""
    made = _made(source)
    return f"{made}, {NO_FINDING}" if made else ""


def runs_badge(runs: Sequence[Run]) -> str:
    """The same for runs beside each other, which are over the same data: what the data says, else that one of them is
    of a stand-in."""
    of_data = next((badge for run in runs if (badge := sample_badge(run.spec.source))), "")
    return of_data or (f"with a stand-in model, {NO_FINDING}" if any(is_stand_in(run) for run in runs) else "")


def shipped_run_id(model: str, source: str | Path) -> str:
    """The id of the run of this model that comes with the sample, where that lies at `source`. Each place has its own:
    several installations may share a store."""
    import hashlib  # brings OpenSSL, which no start needs

    return hashlib.sha256(f"{model} on {source}".encode()).hexdigest()[:10]


def is_shipped(run: Run) -> bool:
    """Whether the run came with the sample: nobody made it here."""
    return run.id == shipped_run_id(run.spec.model, run.spec.source)


def is_stand_in(run: Run) -> bool:
    """Whether the run's model only shows the machinery at work; predictions made elsewhere are no stand-in."""
    return not run.spec.predictions and is_stand_in_model(run.spec.model)


def not_a_finding(run: Run) -> str:
    """Why no score of the run is a finding, in words for a badge; "" where it may be one."""
    made, stand_in = _made(run.spec.source), is_stand_in(run)
    if stand_in:
        where = {"sample": " on the sample", "generated": " on generated data"}.get(made, "")
        return f"stand-in model{where}, {NO_FINDING}"
    if not run.spec.predictions and trained_on_apps_of(run.spec.model, run.spec.source, run.spec.split):
        return f"{made}, its apps were trained on, {NO_FINDING}"
    return sample_badge(run.spec.source)


def trained_on_apps_of(model: str, source: str | Path, split: str = "") -> bool:
    """Whether a trained model learned from episodes of the very apps that the data is about: both are this project's.
    The apps of the split `UNSEEN_APPS` are in no training, and where there is one, partitions are dealt out by it."""
    made, wanted = _made(source), split.lower()
    by_app = partition_of(wanted).startswith((UNSEEN_APPS, FEASIBILITY)) and not wanted.endswith(f"/{TRAIN}")
    unseen = wanted == UNSEEN_APPS or (made == "generated" and by_app)
    return bool(made) and not unseen and _learned_from_own_apps(split_name(model)[0])


@cache
def _learned_from_own_apps(model: str) -> bool:
    """Asked once a process, as `is_stand_in_model` is."""

    try:
        trained = model_folders.find_trained(model)
    except UserError:
        return False
    return trained is not None and trained.card.is_of_own_apps


def trained_on_words(model: str, source: str | Path, split: str = "") -> str:
    """A sentence about it for whoever begins such an evaluation, "" where it is not so."""
    if not trained_on_apps_of(model, source, split):
        return ""
    data = "the sample" if _made(source) == "sample" else "this data"
    return f"{split_name(model)[0]} was trained on apps of {data}: its scores show the machinery and are no finding."


@cache
def is_stand_in_model(name: str) -> bool:
    """What the model says of itself; one that is not known here is taken as real. Asked once a process: a model that is
    not in the catalogue is looked for in every installed package."""
    from stepscope.models.registry import model_info  # the window is shown without what knows models

    try:
        return model_info(name).stand_in
    except UserError:
        return False


def below_rules_of(run: Run) -> str:
    """That the model of a run is below a rule on a real set, in a line; "" where it is not, where nothing was measured,
    and where the run's weights are others than those that lie here now. Reads the card and the weights."""
    words = "" if run.spec.predictions else below_rules_words(run.spec.model)
    if not words or not run.weights:
        return words
    from stepscope.app.services.made_with import weights_digest

    return words if weights_digest(split_name(run.spec.model)[0]) == run.weights else ""


def below_rules_words(model: str) -> str:
    """The same of a model by its name, whatever is set in it; reads its card."""
    from stepscope.models.learned.real_sets import below_words

    try:
        trained = model_folders.find_trained(split_name(model)[0])
    except UserError:
        return ""
    return "" if trained is None else below_words(trained.card.real)
