"""The views of Results, as signals and the session name them."""

from __future__ import annotations

RUN, LEADERBOARD = "run", "leaderboard"
