"""The screen: a step's picture with its marks, between the pictures before and after it."""

from stepscope.widgets.screen.content import Neighbour, ScreenColors, ScreenContent
from stepscope.widgets.screen.layer_bar import LayerBar
from stepscope.widgets.screen.picture import ScreenPicture, decode_for_screen, image_of
from stepscope.widgets.screen.view import ScreenView

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
