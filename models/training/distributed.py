"""Several processes that train one network together, as `torchrun` starts them: each computes its share of every batch,
and gradients are averaged (torch's DistributedDataParallel). With one process none of this does anything."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from stepscope.core.lazy import lazy_module
from stepscope.models.training.batches import ALONE, Share

if TYPE_CHECKING:
    import torch
    from torch.nn import Module
else:
    torch = lazy_module("torch")

_PATIENCE = timedelta(hours=12)
"""So long the others wait for the first, which reads the data and measures alone."""


def joined() -> Share:
    """Which of torchrun's processes this is, joined to the others; `ALONE` where torchrun did not start it. They talk
    by NCCL where there are GPUs, else by gloo."""
    size = int(os.environ.get("WORLD_SIZE", "1") or 1)
    if size <= 1 or "RANK" not in os.environ:
        return ALONE
    if not torch.distributed.is_initialized():
        backend = "cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo"
        torch.distributed.init_process_group(backend, timeout=_PATIENCE)
    return Share(torch.distributed.get_rank(), size)


def follows() -> bool:
    """Whether torchrun started this process to train along with another, without importing torch."""
    return os.environ.get("RANK", "0") != "0" and int(os.environ.get("WORLD_SIZE", "1") or 1) > 1


def own_device(device: str, share: Share) -> str:
    """The device of this process: of several GPUs each has its own, by its number on this machine."""
    if share.size == 1 or device == "cpu":
        return device
    return f"cuda:{int(os.environ.get('LOCAL_RANK', '0')) % torch.cuda.device_count()}"


def wrapped(module: Module, device: str, share: Share) -> Module:
    """The module, its gradients averaged over all processes where there are several."""
    if share.size == 1:
        return module
    places = None if device == "cpu" else [device]
    return torch.nn.parallel.DistributedDataParallel(module, device_ids=places)


def agreed(value: Any, share: Share) -> Any:
    """What the first process says, in all of them."""
    if share.size == 1:
        return value
    said = [value]
    torch.distributed.broadcast_object_list(said)
    return said[0]


def summed(values: Sequence[float], share: Share) -> list[float]:
    """Each value added up over all processes."""
    if share.size == 1:
        return list(values)
    told = torch.tensor(values, dtype=torch.float64)
    torch.distributed.all_reduce(told)
    found: list[float] = told.tolist()
    return found


def any_of(flag: bool, share: Share) -> bool:
    """Whether it is so in any of the processes."""
    if share.size == 1:
        return flag
    told = torch.tensor(float(flag))
    torch.distributed.all_reduce(told, torch.distributed.ReduceOp.MAX)
    return bool(told)


def left(share: Share) -> None:
    """Leave the others, all at once: one that goes while another still talks takes that one down."""
    if share.size > 1 and torch.distributed.is_initialized():
        torch.distributed.barrier()
        torch.distributed.destroy_process_group()
