"""The screen: a step's picture with its marks, between the pictures before and after it."""

from widgets.screen.content import Neighbour, ScreenColors, ScreenContent
from widgets.screen.layer_bar import LayerBar
from widgets.screen.picture import ScreenPicture, decode_for_screen, image_of
from widgets.screen.view import ScreenView

__all__ = [
    "LayerBar",
    "Neighbour",
    "ScreenColors",
    "ScreenContent",
    "ScreenPicture",
    "ScreenView",
    "decode_for_screen",
    "image_of",
]
