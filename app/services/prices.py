"""The prices that a person has entered for models, in a JSON file among the settings, for both faces."""

from __future__ import annotations

import json
from pathlib import Path

from stepscope.core.domain.price import TokenPrice
from stepscope.core.drafts import advice, reason, write_whole
from stepscope.core.errors import UserError
from stepscope.core.own_files import read_json
from stepscope.core.settings import user_config_dir

FILE_NAME = "prices.json"
FORMAT = 1


def prices_file() -> Path:
    """Where prices are kept; may not exist yet."""
    return user_config_dir() / FILE_NAME


def load_prices(file: Path | None = None) -> dict[str, TokenPrice]:
    """Prices by the model's name. An entry that is none costs only itself. Raises UserError for a file that cannot be
    read."""
    file = file or prices_file()
    try:
        form = read_json(file)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise UserError(f"the prices cannot be read: {error}", place=file, hint="Correct it or delete it.") from error
    entries = form.get("prices") if isinstance(form, dict) else None
    found = {}
    for model, entry in (entries if isinstance(entries, dict) else {}).items():
        price = _price(entry)
        if price is not None:
            found[model] = price
    return found


def set_price(model: str, price: TokenPrice | None, file: Path | None = None) -> TokenPrice | None:
    """Keep the price of a model, or forget it; returns the one before. Raises UserError."""
    file = file or prices_file()
    known = load_prices(file)
    before = known.pop(model, None)
    if price is not None:
        known[model] = price
    entries = {name: [one.input, one.output, one.currency] for name, one in known.items()}
    try:
        write_whole(file, json.dumps({"format": FORMAT, "prices": entries}, indent=1, ensure_ascii=False).encode())
    except OSError as error:
        raise UserError(f"the price cannot be kept: {reason(error)}", place=file, hint=advice(error)) from error
    return before


def _price(entry: object) -> TokenPrice | None:
    match entry:
        case [int() | float() as read, int() | float() as written, str(currency)]:
            try:
                return TokenPrice(float(read), float(written), currency)
            except ValueError:
                return None
    return None
