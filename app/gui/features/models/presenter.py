"""All models, and all weights, as the lists of them show them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from stepscope.app.gui.features.models.removal import removal_words
from stepscope.app.gui.shell.task_titles import TASK_TITLES
from stepscope.core.domain.model_name import LOCAL, PAGES, SERVED, TASK_MARK, is_asked, split_name
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.widgets.format import byte_words
from stepscope.widgets.models import ModelRow

if TYPE_CHECKING:
    from stepscope.app.services.weights import FoundWeights, WeightsRow
    from stepscope.models.checkpoints import checkpoint, needs
    from stepscope.models.checkpoints import facts as checkpoint_facts
    from stepscope.models.registry import InstalledModel, Registry
    from stepscope.widgets.models import weights as weights_views
    from stepscope.widgets.models.weights import WeightsLine, WeightsOffer
else:
    checkpoint = lazy_module("stepscope.models.checkpoints.checkpoint")
    checkpoint_facts = lazy_module("stepscope.models.checkpoints.facts")
    needs = lazy_module("stepscope.models.checkpoints.needs")
    weights_views = lazy_module("stepscope.widgets.models.weights")


def model_rows(found: Registry) -> tuple[tuple[ModelRow, ...], tuple[str, ...]]:
    """Every model that can be named, and those that are broken in words; made off the GUI thread."""
    problems = tuple(f"The {problem.name} is broken: {problem.message}" for problem in found.problems)
    return tuple(_row(model) for model in found.models.values()), problems


def _row(model: InstalledModel) -> ModelRow:
    from stepscope.models.catalog import CATALOG
    from stepscope.models.learned.real_sets import below_words

    info, trained = model.info, model.trained
    why_not = f"Its weights are not here. {info.weights_from}".strip() if info.weights == "absent" else ""
    weights = info.weights
    if trained is not None and not trained.weights.is_file():
        weights, why_not = "absent", f"Its weights are not here: there is no {trained.weights}."
    page = _page_name(info.name)
    if page:
        origin = "your own checkpoint" if page.startswith(LOCAL) else "your own server"
    elif model.own is not None:
        origin = "your own file"
    elif trained is not None:
        origin = "Stepscope, trained" if trained.shipped else "your own"
    else:
        origin = "Stepscope" if any(entry.info.name == split_name(info.name)[0] for entry in CATALOG) else "a package"
    return ModelRow(
        info.name,
        TASK_TITLES[info.task],
        "" if info.runtime == "none" else "torch, onnx" if trained is not None and trained.onnx.is_file()
        else "torch" if trained is not None else info.runtime,
        weights,
        info.trained_on or "",
        origin,
        _details(model, why_not),
        can_export=trained is not None and weights != "absent",
        removal=removal_words(model),
        why_not=why_not,
        below_rules=below_words(trained.card.real) if trained is not None else "",
        page=page,
    )  # fmt: skip


def _checkpoint_facts(name: str) -> list[tuple[str, str]]:
    """Of one that was added: what its folder tells, and what it needs."""
    kept = checkpoint.find(name)
    try:
        found = checkpoint_facts.facts_of(kept)
    except UserError as error:
        return [("trouble", error.words_in_window)]
    return [
        ("family", found.family),
        ("licence", found.licence or "its card names none"),
        ("size", byte_words(found.bytes)),
        ("needs", needs.needs_of(found, kept.dtype).words),
        ("adapter", kept.adapter),
        ("LoRA", kept.lora),
    ]


def _page_name(name: str) -> str:
    """Of what is asked in words: the name without task, for pages of the web too; "" for any other."""
    plain = f"{SERVED}{name.removeprefix(PAGES)}" if name.startswith(PAGES) else name
    return plain.partition(TASK_MARK)[0] if is_asked(plain) else ""


def _details(model: InstalledModel, why_not: str) -> str:
    """What the model says of itself, and its card where it has one, as Markdown."""
    from stepscope.app.services.model_pages import card_in_words, plain_markdown

    info, trained = model.info, model.trained
    parts = [f"### {plain_markdown(info.title)}", plain_markdown(info.description), f"*{plain_markdown(info.source)}.*"]
    if why_not:
        parts.append(f"**{plain_markdown(why_not)}**")
    facts = [("looks at", ", ".join(info.inputs)), ("devices", ", ".join(info.devices))]
    if info.weights == "present":
        facts.append(("weights", info.weights_from))
    if info.stand_in:
        facts.append(("stand-in", "shows the machinery at work; none of its scores is a finding"))
    if trained is not None:
        facts.append(("folder", str(trained.folder)))
    if (page := _page_name(info.name)).startswith(LOCAL) and info.weights == "present":
        facts += _checkpoint_facts(page.removeprefix(LOCAL))
    if model.own is not None:
        facts += [("licence", model.own.manifest.licence), ("manifest", str(model.own.place))]
    rows = [f"| {name} | {plain_markdown(value)} |" for name, value in facts if value]
    parts.append("\n".join(("|  |  |", "| --- | --- |", *rows)))
    if trained is not None and trained.weights.is_file():
        parts.append(card_in_words(trained.card, trained.folder).removeprefix("> "))
    return "\n\n".join(parts)


def weights_lines(rows: Sequence[WeightsRow]) -> tuple[WeightsLine, ...]:
    """The weights of encoders and models, in the order given."""
    return tuple(map(_weights_line, rows))


def weights_offer(found: FoundWeights) -> WeightsOffer:
    """What was found at a path, for the form."""
    return weights_views.WeightsOffer(str(found.path), found.taken_for, found.family, found.name)


def _weights_line(row: WeightsRow) -> WeightsLine:
    task = next((title for task, title in TASK_TITLES.items() if task.value == row.kind), row.kind)
    kind = f"encoder, {row.kind}" if row.sort == "encoder" else f"model, {task.lower()}"
    facts = (
        ("Is", row.title),
        ("From", row.where_from),
        ("Wanted by", ", ".join(row.wanted_by)),
        ("Outputs", ", ".join(row.outputs)),
        ("SHA-256", row.sha256),
        ("Files", "\n".join(one for one in row.paths if one not in row.where_from)),
    )
    place = Path(row.paths[0]) if row.paths else None
    folder = "" if place is None or not place.exists() else str(place if place.is_dir() else place.parent)
    return weights_views.WeightsLine(
        row.name,
        kind,
        row.here,
        byte_words(row.bytes) if row.bytes else "",
        row.licence,
        ", ".join(row.wanted_by),
        tuple((name, value) for name, value in facts if value),
        row.own,
        folder,
        "" if row.here else row.where_from,
    )
