"""A field for a number whose size is not known beforehand, such as a learning rate: no zeros behind what it says."""

from __future__ import annotations

from PySide6.QtWidgets import QDoubleSpinBox

DECIMALS = 7


class NumberSpin(QDoubleSpinBox):
    """Its value is exact to seven decimals."""

    def __init__(self, least: float, most: float, step: float) -> None:
        super().__init__()
        self.setDecimals(DECIMALS)
        self.setRange(least, most)
        self.setSingleStep(step)

    def textFromValue(self, value: float) -> str:
        return f"{value:.{DECIMALS}f}".rstrip("0").rstrip(".")

    def number(self) -> float:
        """The value without what its binary form adds."""
        return round(self.value(), DECIMALS)
