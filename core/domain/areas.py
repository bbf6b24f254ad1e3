"""Cutting areas into convex pieces: what of a box or a screen is left when boxes and half planes are taken away."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Pair = tuple[float, float]
Piece = tuple[Pair, ...]
"""Corners of a convex polygon, in order around it."""
Edges = tuple[float, float, float, float]
"""left, top, right, bottom"""

_SLIVER = 1e-9
"""Pieces with less area than this, in square pixels, come of rounding."""


def rectangle(edges: Edges) -> Piece:
    """The box (left, top, right, bottom) as a piece: its corners from the top left by way of the top right."""
    left, top, right, bottom = edges
    return (left, top), (right, top), (right, bottom), (left, bottom)


def bounds(piece: Piece) -> Edges:
    """The box around a piece."""
    xs, ys = [x for x, _ in piece], [y for _, y in piece]
    return min(xs), min(ys), max(xs), max(ys)


def overlap(one: Edges, other: Edges) -> bool:
    """Whether two boxes share some area."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def half(piece: Piece, a: float, b: float, c: float) -> Piece:
    """The part of a piece where a·x + b·y <= c, () when there is none with an area."""
    kept: list[Pair] = []
    for (ax, ay), (bx, by) in zip(piece, (*piece[1:], *piece[:1]), strict=True):
        here, there = a * ax + b * ay - c, a * bx + b * by - c
        if here <= 0:
            kept.append((ax, ay))
        if (here < 0 < there) or (there < 0 < here):
            share = here / (here - there)
            kept.append((ax + (bx - ax) * share, ay + (by - ay) * share))
    return tuple(kept) if _area(kept) > _SLIVER else ()


def inside(piece: Piece, edges: Edges) -> Piece:
    """The part of a piece in a box."""
    left, top, right, bottom = edges
    for a, b, c in ((-1.0, 0.0, -left), (1.0, 0.0, right), (0.0, -1.0, -top), (0.0, 1.0, bottom)):
        piece = half(piece, a, b, c)
    return piece


def outside(piece: Piece, edges: Edges) -> list[Piece]:
    """The parts of a piece that are not in a box; the piece itself where they have nothing in common."""
    if not overlap(bounds(piece), edges) or not inside(piece, edges):
        return [piece]
    left, top, right, bottom = edges
    beside = [half(piece, 1.0, 0.0, left), half(piece, -1.0, 0.0, -right)]
    between = half(half(piece, -1.0, 0.0, -left), 1.0, 0.0, right)
    return [part for part in (*beside, half(between, 0.0, 1.0, top), half(between, 0.0, -1.0, -bottom)) if part]


def without(pieces: Iterable[Piece], boxes: Sequence[Edges]) -> list[Piece]:
    """The pieces less all the boxes."""
    left = [piece for piece in pieces if piece]
    for edges in boxes:
        left = [part for piece in left for part in outside(piece, edges)]
    return left


def nearer(piece: Piece, to: Pair, than: Pair) -> Piece:
    """The part of a piece that is at least as near to one place as to another; all of it where they are the same."""
    a, b = 2 * (than[0] - to[0]), 2 * (than[1] - to[1])
    if a == 0 and b == 0:
        return piece
    return half(piece, a, b, than[0] ** 2 + than[1] ** 2 - to[0] ** 2 - to[1] ** 2)


def _area(corners: Sequence[Pair]) -> float:
    """Area of a polygon, whichever way round its corners go."""
    turned = zip(corners, (*corners[1:], *corners[:1]), strict=True)
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in turned)) / 2
