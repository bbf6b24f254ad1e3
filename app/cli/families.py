"""The commands of the command line, in the order of the help. Light to import: the window's start asks it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepscope.app.cli.command_row import CommandRow
from stepscope.core.lazy import lazy_module

if TYPE_CHECKING:
    from stepscope.app.cli import (
        agents,
        ambiguous,
        asks,
        campaign,
        data,
        devices,
        doctor,
        episode,
        evaluate,
        formats,
        goals,
        index,
        judgements,
        limits,
        models,
        orders,
        presets,
        protocols,
        record,
        recordings,
        references,
        render,
        reproduce,
        rollout,
        runs,
        sample,
        score,
        servers,
        webtask,
        weights,
    )
    from stepscope.app.cli import annotations as annotating
else:
    annotating = lazy_module("stepscope.app.cli.annotations")
    agents = lazy_module("stepscope.app.cli.agents")
    ambiguous = lazy_module("stepscope.app.cli.ambiguous")
    asks = lazy_module("stepscope.app.cli.asks")
    campaign = lazy_module("stepscope.app.cli.campaign")
    data = lazy_module("stepscope.app.cli.data")
    devices = lazy_module("stepscope.app.cli.devices")
    doctor = lazy_module("stepscope.app.cli.doctor")
    episode = lazy_module("stepscope.app.cli.episode")
    evaluate = lazy_module("stepscope.app.cli.evaluate")
    formats = lazy_module("stepscope.app.cli.formats")
    goals = lazy_module("stepscope.app.cli.goals")
    index = lazy_module("stepscope.app.cli.index")
    judgements = lazy_module("stepscope.app.cli.judgements")
    limits = lazy_module("stepscope.app.cli.limits")
    models = lazy_module("stepscope.app.cli.models")
    orders = lazy_module("stepscope.app.cli.orders")
    presets = lazy_module("stepscope.app.cli.presets")
    protocols = lazy_module("stepscope.app.cli.protocols")
    record = lazy_module("stepscope.app.cli.record")
    recordings = lazy_module("stepscope.app.cli.recordings")
    references = lazy_module("stepscope.app.cli.references")
    render = lazy_module("stepscope.app.cli.render")
    reproduce = lazy_module("stepscope.app.cli.reproduce")
    rollout = lazy_module("stepscope.app.cli.rollout")
    runs = lazy_module("stepscope.app.cli.runs")
    sample = lazy_module("stepscope.app.cli.sample")
    score = lazy_module("stepscope.app.cli.score")
    servers = lazy_module("stepscope.app.cli.servers")
    webtask = lazy_module("stepscope.app.cli.webtask")
    weights = lazy_module("stepscope.app.cli.weights")

COMMANDS = {
    "formats": CommandRow("Formats that can be read, one line each.", lambda: formats.formats),
    "inspect": CommandRow("What is at PATH: episodes, steps, actions, and what cannot be read.", lambda: data.inspect),
    "index": CommandRow(
        "Data made ready: read whole, with vectors of words and screens; resumable.", lambda: index.index
    ),
    "episode": CommandRow(
        "One episode in normalised form; with -o as animation (.webp, .mp4), page (.html) or picture (.png).",
        lambda: episode.episode,
    ),
    "asks": CommandRow("What was left out of tasks, asked and answered: JSON Lines.", lambda: asks.asks),
    "render": CommandRow("A step's screenshot with the overlays that the window would draw.", lambda: render.render),
    "score": CommandRow("Score a file of records under a protocol.", lambda: score.score),
    "protocols": CommandRow(
        "Scoring protocols: their rules, options, metrics and published numbers.", lambda: protocols.protocols
    ),
    "evaluate": CommandRow("Evaluate a model or a prediction file; resumable.", lambda: evaluate.evaluate),
    "references": CommandRow(
        "Score the recorded actions against themselves under every rule.", lambda: references.references
    ),
    "rollout": CommandRow(
        "A predictor walks alone: recorded screens, or the simulated phone.", lambda: rollout.rollout
    ),
    "reproduce": CommandRow(
        "A paper's table made again; stopped, the same command goes on.", lambda: reproduce.reproduce
    ),
    "annotate": CommandRow(
        "Say something about an episode or a step; the data stays as it is.", lambda: annotating.annotate
    ),
    "annotations": CommandRow("What people said about the data at PATH.", lambda: annotating.listing),
    "devices": CommandRow(
        "Devices that can be used, one line each: the simulated phone, then adb's.", lambda: devices.devices
    ),
    "record": CommandRow(
        "Record a demonstration: actions on stdin are done on the device and kept in OUT.", lambda: record.record
    ),
    "doctor": CommandRow("What this machine has: libraries, window, GPU, adb, fonts, store.", lambda: doctor.doctor),
    "limits": CommandRow("What data, servers and pages may take of this machine, and why.", lambda: limits.limits),
    "ambiguous": CommandRow(
        "Tasks from which something is left out on purpose, with question and answer.", lambda: ambiguous.COMMANDS
    ),
    "presets": CommandRow("Settings for evaluations, saved under a name.", lambda: presets.COMMANDS),
    "models": CommandRow("Models that can be evaluated.", lambda: models.COMMANDS),
    "agents": CommandRow("Published GUI agents: how each writes, and what it wrote.", lambda: agents.COMMANDS),
    "weights": CommandRow("Weights of encoders and models: what is wanted, what is here.", lambda: weights.COMMANDS),
    "servers": CommandRow("Chat servers whose models can be asked.", lambda: servers.COMMANDS),
    "goals": CommandRow("How models are asked for the goal behind a trajectory.", lambda: goals.COMMANDS),
    "sample": CommandRow("Sample episodes, made on the simulated phone.", lambda: sample.COMMANDS),
    "runs": CommandRow("Stored evaluations.", lambda: runs.COMMANDS),
    "judgements": CommandRow("What people and models say of pairs of descriptions.", lambda: judgements.COMMANDS),
    "orders": CommandRow("The orders that people gave to the steps of procedures.", lambda: orders.COMMANDS),
    "campaign": CommandRow("Goals that several people demonstrate in apps.", lambda: campaign.COMMANDS),
    "webtask": CommandRow("Web tasks: pages that models and people fill in.", lambda: webtask.COMMANDS),
    "recordings": CommandRow("Recordings made here, and exports of any episodes.", lambda: recordings.COMMANDS),
}
"""First words that mean a command; any other first word is a path for the window."""
