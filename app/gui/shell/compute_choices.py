"""The devices of this machine that forms and menus offer."""

from __future__ import annotations

from stepscope.widgets.forms.evaluate_choices import ComputeChoice


def compute_choices() -> tuple[tuple[ComputeChoice, ...], str]:
    """The GPUs of this machine, looked up without loading what computes there, or why there are none."""
    from stepscope.models.runtimes.devices import available, no_gpu

    gpus = (device for device in available() if device.kind != "cpu")
    return tuple(ComputeChoice(str(device), f"CUDA {device.index}, {device.name}") for device in gpus), no_gpu()
