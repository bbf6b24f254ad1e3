"""The machine that an evaluation was made on."""

from __future__ import annotations

from stepscope.core.frozen import dataclass


@dataclass(frozen=True, slots=True)
class MachineFacts:
    """What is known of it in words, "" where nothing is: `memory` in bytes, 0 where it is not known; `libraries` are
    names and versions of what answers were computed with. Neither its name nor its address is among them."""

    processor: str = ""
    cores: int = 0
    memory: int = 0
    gpus: tuple[str, ...] = ()
    system: str = ""
    python: str = ""
    libraries: tuple[tuple[str, str], ...] = ()
