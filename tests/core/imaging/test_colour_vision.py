"""Colours of marks are told apart by people with a colour-vision deficiency; letter and shape double them anyway.

Simulation: Machado, Oliveira and Fernandes 2009, "A Physiologically-based Model for Simulation of Color Vision
Deficiency", severity 1.0, on linear sRGB. Distance: CIE 1976 ΔE in CIELAB under D65.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import numpy as np
import pytest
from numpy.typing import NDArray

from stepscope.core.imaging.palette import CASING, CHANGE, REFERENCE, RUN_STYLES, rgb
from stepscope.widgets.theme import Theme

Colour = NDArray[np.float64]

MACHADO = {
    "protanopia": [
        [0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900],
    ],
}  # fmt: skip
SRGB_TO_XYZ = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
WHITE_D65 = (0.95047, 1.0, 1.08883)


def linear(colour: str) -> Colour:
    shares = np.array(rgb(colour)) / 255
    return np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)


def cielab(light: Colour) -> Colour:
    x, y, z = (
        np.cbrt(share) if share > 216 / 24389 else (24389 / 27 * share + 16) / 116
        for share in np.array(SRGB_TO_XYZ) @ light / WHITE_D65
    )
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def seen_with(deficiency: str, colour: str) -> Colour:
    return cielab(np.clip(np.array(MACHADO[deficiency]) @ linear(colour), 0, 1))


def least(deficiency: str, colours: Mapping[str, str]) -> tuple[float, str]:
    seen = {name: seen_with(deficiency, colour) for name, colour in colours.items()}
    return min(
        (float(np.linalg.norm(seen[one] - seen[other])), f"{one} and {other}")
        for one, other in itertools.combinations(seen, 2)
    )


def contrast(one: str, other: str) -> float:
    """WCAG 2's ratio of relative luminances."""
    low, high = sorted(float(np.array(SRGB_TO_XYZ[1]) @ linear(colour)) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


ON_PIXELS = {"reference": REFERENCE, "change": CHANGE} | {style.letter: style.colour for style in RUN_STYLES[:4]}


def of_theme(theme: Theme) -> dict[str, str]:
    return {
        "reference": theme.reference, "change": theme.change,
        "A": theme.run_a, "B": theme.run_b, "C": theme.run_c, "D": theme.run_d,
    }  # fmt: skip


def test_the_colours_of_white_and_of_pure_red_are_the_published_ones() -> None:
    assert np.allclose(cielab(linear("#FFFFFF")), [100, 0, 0], atol=0.02)
    assert np.allclose(cielab(linear("#FF0000")), [53.24, 80.09, 67.20], atol=0.02)


@pytest.mark.parametrize("deficiency", MACHADO)
def test_marks_are_told_apart(deficiency: str) -> None:
    for colours, needed in ((ON_PIXELS, 20), (of_theme(Theme.dark()), 20), (of_theme(Theme.light()), 19)):
        distance, pair = least(deficiency, colours)
        assert distance >= needed, pair


def test_marks_stand_out_from_their_casing() -> None:
    for name, colour in ON_PIXELS.items():
        assert contrast(colour, CASING) >= 3, name
