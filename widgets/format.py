"""Numbers and times as the window shows them. A value that is not there is a dash, never 0 or NaN."""

from __future__ import annotations

import math

from stepscope.core.plain_text import site_of

NONE = "–"
MINUS = "−"
_MINUTE, _HOUR, _DAY = 60, 3600, 86_400


def score(value: float | None) -> str:
    """0.614; a dash without a value."""
    return NONE if _absent(value) else f"{value:.3f}".replace("-", MINUS)


def confidence(value: float | None) -> str:
    """0.71; two digits are enough for what a model says of itself."""
    return NONE if _absent(value) else f"{value:.2f}".replace("-", MINUS)


def signed(value: float | None) -> str:
    """+0.163 or −0.045; what rounds to nothing is not below it: +0.000."""
    return NONE if value is None or math.isnan(value) else f"{round(value, 3) + 0.0:+.3f}".replace("-", MINUS)


def share(value: float | None) -> str:
    """A fraction 0..1 as 10.9 %."""
    return NONE if value is None or math.isnan(value) else f"{100 * value:.1f} %"


def p_value(value: float | None) -> str:
    """0.004, or < 0.001 below it."""
    if value is None or math.isnan(value):
        return NONE
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def interval(bounds: tuple[float, float] | None) -> str:
    """0.521 – 0.699."""
    return NONE if bounds is None else f"{score(bounds[0])} – {score(bounds[1])}"


def count(value: int | None) -> str:
    """4,724."""
    return NONE if value is None else f"{value:,}".replace("-", MINUS)


def counted(value: int, singular: str, plural: str = "") -> str:
    """1 step, 4,724 steps."""
    return f"{count(value)} {singular if value == 1 else plural or singular + 's'}"


def duration(seconds: float | None) -> str:
    """9 ms, 5.8 s, 4 min, 3 h, 2 days: the one unit that reads best."""
    if seconds is None or not math.isfinite(seconds):
        return NONE
    if 0 < seconds < 0.1:
        return f"{max(1, round(seconds * 1000))} ms"
    if seconds < _MINUTE:
        return f"{seconds:.1f} s"
    if seconds < _HOUR:
        return f"{round(seconds / _MINUTE)} min"
    if seconds < 2 * _DAY:
        return f"{round(seconds / _HOUR)} h"
    return f"{round(seconds / _DAY)} days"


def moment(seconds: float | None) -> str:
    """A time within an episode: 5.8 s, from a minute on 8:20."""
    if seconds is None or not math.isfinite(seconds):
        return NONE
    if seconds < _MINUTE:
        return f"{seconds:.1f} s"
    return f"{int(seconds) // _MINUTE}:{int(seconds) % _MINUTE:02d}"


def clock(seconds: float | None) -> str:
    """A time within a recording as a clock shows it: 0:31, 12:05, 1:02:03."""
    if seconds is None or not math.isfinite(seconds):
        return NONE
    minutes, rest = divmod(max(0, int(seconds)), _MINUTE)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}" if minutes >= 60 else f"{minutes}:{rest:02d}"


def time_left(seconds: float | None) -> str:
    """About how long work still takes, without false precision: 40 s left, 4 min left; "" when unknown."""
    if seconds is None or not math.isfinite(seconds):
        return ""
    if seconds < _MINUTE:
        return f"{max(1, math.ceil(seconds))} s left"
    return f"{duration(seconds)} left"


def rate(per_second: float | None) -> str:
    """0.8/s, 120/s; "" when unknown."""
    if per_second is None or not math.isfinite(per_second):
        return ""
    return f"{per_second:.1f}/s" if per_second < 10 else f"{count(round(per_second))}/s"


def byte_words(count: int) -> str:
    """ "820 KB", "24 MB", "1.3 GB": of 1,024 each; a byte or more is at least 1 KB."""
    if count < 2**20:
        return f"{-(-count // 1024):,} KB"
    return f"{count / 2**20:,.0f} MB" if count < 2**30 else f"{count / 2**30:,.1f} GB"


def _absent(value: float | None) -> bool:
    return value is None or math.isnan(value)


_SAYS_NOTHING = {"android", "app", "apps", "main", "mobile", "client", "lite", "free", "beta", "release"}


def site_name(address: str) -> str:
    """A web site by its address: https://www.example.org/a?b is example.org; other names stay."""
    place = address.partition("://")[2].partition("/")[0].partition("?")[0].removeprefix("www.")
    return place or address


def app_name(package: str) -> str:
    """What a person may call an app by its package name, com.google.android.apps.maps is Maps, or a page by its site;
    other names stay."""
    if (site := site_of(package)) != package:
        return site
    parts = package.split(".")
    if len(parts) < 2 or " " in package:
        return package
    telling = [part for part in parts[1:] if part.lower() not in _SAYS_NOTHING]
    name = (telling or parts)[-1].replace("_", " ").replace("-", " ")
    return name[:1].upper() + name[1:]
