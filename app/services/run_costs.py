"""What the answers of a run took: time, tokens, attempts, and money where a person has said what tokens cost."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import field
from typing import Any

from stepscope.app.services.prices import load_prices
from stepscope.core.domain.machine import MachineFacts
from stepscope.core.domain.price import TokenPrice
from stepscope.core.domain.run import Run
from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.limits import written_figure
from stepscope.core.store.engine import Database
from stepscope.core.store.repositories import model_calls
from stepscope.core.store.repositories.model_calls import CallTotals

log = logging.getLogger("stepscope")


@dataclass(frozen=True, slots=True)
class RunCosts:
    """Sums over a run or one of its episodes; `price` None: nobody has entered one for its model."""

    totals: CallTotals = field(default_factory=CallTotals)
    price: TokenPrice | None = None

    @property
    def cost(self) -> float | None:
        """What was paid in the price's currency; None without a price, or where no server told tokens."""
        found = self.totals
        if self.price is None or (found.tokens_in is None and found.tokens_out is None):
            return None
        return self.price.of(found.paid_in, found.paid_out)


def costs_of(database: Database, run: Run, episode: str | None = None) -> RunCosts:
    """What the run took, or one of its episodes. Prices that cannot be read are none."""
    with database.reading() as db:
        totals = model_calls.totals(db, run.id, episode)
    return RunCosts(totals, price_of(run.spec.model))


def price_of(model: str) -> TokenPrice | None:
    """The price that was entered for the model; None where there is none or prices cannot be read."""
    try:
        return load_prices().get(model)
    except UserError as error:
        log.warning("%s", error)
        return None


def costs_json(run: Run, costs: RunCosts) -> dict[str, Any]:
    """`took` of `runs show --json`."""
    found = costs.totals
    return {
        "seconds": run.worked_s or None,
        "median_latency_ms": found.latency_ms,
        "median_first_token_ms": found.first_ms,
        "calls": found.calls,
        "remembered": found.remembered,
        "retries": found.retries,
        "tokens_in": found.tokens_in,
        "tokens_out": found.tokens_out,
        "cost": costs.cost,
        "currency": costs.price.currency if costs.price is not None else None,
    }


def made_with_json(run: Run) -> dict[str, Any]:
    """`made_with` of `runs show --json`."""
    machines = [
        {
            "processor": one.processor,
            "cores": one.cores,
            "memory": one.memory,
            "gpus": list(one.gpus),
            "system": one.system,
            "python": one.python,
            "libraries": dict(one.libraries),
        }
        for one in run.machines
    ]
    return {"machines": machines, "weights": run.weights or None, "seed": run.spec.seed}


def machine_rows(run: Run) -> tuple[tuple[str, str], ...]:
    """The machines of a run and its weights as names and values in words."""
    rows: list[tuple[str, str]] = [("Weights", f"SHA-256 {run.weights}")] if run.weights else []
    for number, machine in enumerate(run.machines, start=1):
        name = "Machine" if len(run.machines) == 1 else f"Machine {number}"
        rows += [(name, hardware_words(machine)), ("System", _system(machine))]
        rows.append(("Libraries", ", ".join(" ".join(pair) for pair in machine.libraries)))
    return tuple((name, value) for name, value in rows if value)


def hardware_words(machine: MachineFacts) -> str:
    """Processor, memory and GPUs in one line."""
    parts = [machine.processor, f"{machine.cores} cores" if machine.cores else ""]
    parts += [written_figure("bytes", machine.memory) if machine.memory else "", *machine.gpus]
    return ", ".join(part for part in parts if part)


def _system(machine: MachineFacts) -> str:
    return ", ".join(part for part in (machine.system, f"Python {machine.python}" if machine.python else "") if part)


def costs_rows(
    run: Run, costs: RunCosts, duration: Callable[[float], str] = "{:.1f} s".format
) -> tuple[tuple[str, str], ...]:
    """What a run took as names and values in words; `duration` puts seconds into them."""
    found, price = costs.totals, costs.price
    told = (found.tokens_in, found.tokens_out) != (None, None)
    tokens = f"{found.tokens_in or 0:,} in, {found.tokens_out or 0:,} out" if told else ""
    known = f", {found.remembered:,} answers known from earlier runs" if found.remembered else ""
    rows = (
        ("Worked", duration(run.worked_s) if run.worked_s else ""),
        ("Median step", duration(found.latency_ms / 1000) if found.latency_ms is not None else ""),
        ("Tokens", f"{tokens}{known}" if tokens else ""),
        ("Retries", f"{found.retries:,}" if found.calls else ""),
        ("Cost", money(costs.cost, price.currency) if price is not None and costs.cost is not None else ""),
        ("Price", price_words(price) if price is not None and found.calls else ""),
    )
    return tuple((name, value) for name, value in rows if value)


def money(value: float, currency: str) -> str:
    """0.0123 USD, 12.34 USD: four digits behind the point below one."""
    return f"{value:,.2f} {currency}" if value >= 1 else f"{value:.4f} {currency}"


def price_words(price: TokenPrice) -> str:
    return f"{price.input:g} in, {price.output:g} out, {price.currency} for a million tokens"
