"""Fine-tuning a checkpoint by LoRA: matrices of a low rank beside its linear layers learn to give known answers.

Only the answer's tokens and the end of the turn count in the loss. A stopped training goes on at the move that it had
kept: order and dropout hang on seed and move alone, so that the weights come out the same.
"""

from __future__ import annotations

import io
import math
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stepscope.core.drafts import write_whole
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.models.checkpoints.generation import LoadedCheckpoint
from stepscope.models.checkpoints.lora_settings import LoraPart, LoraSettings, LoraStep, TuningExample
from stepscope.models.checkpoints.snapshots import forget_snapshots, keep_snapshot
from stepscope.models.encoders.transformers_folder import quiet
from stepscope.models.learned.recipe import Hyper
from stepscope.models.runtimes.memory import in_memory
from stepscope.models.training.schedules import optimizer_of, share_of_rate

if TYPE_CHECKING:
    import peft
    import torch
else:
    peft = lazy_module("peft")
    torch = lazy_module("torch")

STATE = "state.pt"
_LOOKING = r".*(visual|vision|image_tower|vit\b).*"
"""Names of modules that look at pictures, in the families that transformers has."""
_SEED_OF_MOVE = 1_000_003
Examples = Sequence[tuple[str, Callable[[], TuningExample]]]
"""Names, and what makes each example when it is needed: pictures of thousands would not fit into memory."""


class LoraTraining:
    """One training of one checkpoint, whose network it changes. `folder` keeps its state."""

    def __init__(self, loaded: LoadedCheckpoint, settings: LoraSettings, folder: Path) -> None:
        """Puts the adapter into the network, and takes up the state that the folder has. Raises UserError for a model
        that cannot be tuned so, or a state that cannot be read."""
        if loaded.facts.adapts is not None:
            hint = "Tune the model without it, or one into which it was merged."
            raise UserError("has an adapter already.", place=loaded.facts.adapts, hint=hint)
        self._loaded, self.settings, self._folder = loaded, settings, folder
        self.network = self._with_adapter(loaded.network)
        learned = [one for one in self.network.parameters() if one.requires_grad]
        self.parameters = sum(one.numel() for one in learned)
        hyper = Hyper(rate=settings.rate, weight_decay=0.0, optimizer="adamw", schedule="cosine",
                      warmup=settings.warmup)  # fmt: skip
        self._hyper, self._learned = hyper, learned
        self._optimizer = optimizer_of(learned, hyper)
        self.step = 0
        self.losses: list[float] = []
        self._take_up()

    def run(self, examples: Examples, token: CancelToken) -> Iterator[LoraStep]:
        """As `run_in_parts`, told of whole moves alone."""
        return (one for one in self.run_in_parts(examples, token) if isinstance(one, LoraStep))

    def run_in_parts(self, examples: Examples, token: CancelToken) -> Iterator[LoraPart | LoraStep]:
        """Learn from them, epoch by epoch, from the move that was kept; a LoraStep after each move, and a LoraPart
        after each example on the way to it. A snapshot is written before the state that is behind it. Ends where the
        token is cancelled, with the state kept. Raises OutOfMemory, UserError where the loss is no number."""
        settings, steps = self.settings, self.settings.moves(len(examples))
        per_epoch = steps // settings.epochs
        self.network.train()
        try:
            while self.step < steps:
                epoch, place = divmod(self.step, per_epoch)
                batch = _order(len(examples), settings.seed, epoch)[place * settings.batch :][: settings.batch]
                done = yield from self._move([examples[one] for one in batch], steps, token)
                if done is None:
                    return
                self.step += 1
                if done.loss is not None:
                    self.losses.append(done.loss)
                if settings.snapshots and (self.step % settings.snapshots == 0 or self.step == steps):
                    keep_snapshot(self._folder, self.step, self.save)
                if self.step % settings.keep_every == 0 or self.step % per_epoch == 0:
                    self.keep()
                yield done
        finally:
            self.network.eval()
            self.keep()

    def keep(self) -> None:
        """Write the state, whole or not at all."""
        state = {
            "step": self.step,
            "losses": self.losses,
            "adapter": peft.get_peft_model_state_dict(self.network),
            "optimizer": self._optimizer.state_dict(),
        }
        written = io.BytesIO()
        torch.save(state, written)
        self._folder.mkdir(parents=True, exist_ok=True)
        write_whole(self._folder / STATE, written.getvalue())

    def save(self, folder: Path) -> None:
        """Write the adapter as peft does."""
        with quiet():
            self.network.save_pretrained(folder)

    def save_merged(self, folder: Path) -> None:
        """Write the whole model with the adapter in it, and its processor. The training is over then."""
        with quiet():
            self.network.merge_and_unload().save_pretrained(folder)
            self._loaded.processor.save_pretrained(folder)

    # Inside ----------------------------------------------------------------------------------------------------------

    def _with_adapter(self, network: Any) -> Any:
        settings = self.settings
        torch.manual_seed(settings.seed)
        config = peft.LoraConfig(
            r=settings.rank,
            lora_alpha=settings.scale,
            lora_dropout=settings.dropout,
            target_modules="all-linear",
            exclude_modules=None if settings.vision else _LOOKING,
            task_type="CAUSAL_LM",
        )
        try:
            with quiet():
                found = peft.get_peft_model(network, config)
        except ValueError as error:
            raise UserError(f"cannot be tuned by LoRA: {error}", place=self._loaded.facts.folder) from error
        if self._loaded.device.kind == "cuda":  # a long question of many pictures fits by computing parts twice
            found.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
            found.enable_input_require_grads()
        return found

    def _take_up(self) -> None:
        file = self._folder / STATE
        if not file.is_file():
            return
        try:
            state = torch.load(file, map_location=str(self._loaded.device), weights_only=True)
            peft.set_peft_model_state_dict(self.network, state["adapter"])
            self._optimizer.load_state_dict(state["optimizer"])
            self.step, self.losses = int(state["step"]), [float(one) for one in state["losses"]]
        except Exception as error:
            hint = "Begin anew with --again."
            raise UserError("is no state of this training.", place=file, hint=hint) from error

    def _move(self, batch: Examples, steps: int, token: CancelToken) -> Generator[LoraPart, None, LoraStep | None]:
        """Move the weights once; None where it was cancelled on the way."""
        began, losses = time.monotonic(), []
        skipped: list[tuple[str, str]] = []
        torch.manual_seed(self.settings.seed * _SEED_OF_MOVE + self.step)
        for taken, (name, make) in enumerate(batch):
            if taken:
                yield LoraPart(self.step + 1, steps, taken)
            token.wait_if_paused()
            if token.cancelled:
                self._optimizer.zero_grad(set_to_none=True)
                return None
            try:
                example = make()
                inputs, labels = self._loaded.with_answer(example.messages, example.answer)
            except UserError as error:
                skipped.append((name, str(error)))
                continue
            losses.append(self._backward(inputs, labels, len(batch)))
        rate = self.settings.rate * share_of_rate(self._hyper, self.step, steps)
        if losses:
            self._step(rate, len(batch) / len(losses))
        loss = sum(losses) / len(losses) if losses else None
        return LoraStep(self.step + 1, steps, loss, rate, time.monotonic() - began, len(losses), tuple(skipped))

    def _backward(self, inputs: Any, labels: Any, parts: int) -> float:
        def compute() -> float:
            loss = self.network(**inputs, labels=labels).loss
            found = float(loss.detach())
            if not math.isfinite(found):
                raise UserError(f"The loss after {self.step:,} moves is {found}.", hint="Learn at a lower rate.")
            (loss / parts).backward()
            return found

        return in_memory(compute, str(self._loaded.device), self._loaded.facts.folder)

    def _step(self, rate: float, times: float) -> None:
        """`times` makes the mean over the whole batch that over what of it could be learned from."""
        for one in self._learned if times != 1 else ():
            if one.grad is not None:
                one.grad.mul_(times)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        if self.settings.clip:
            torch.nn.utils.clip_grad_norm_(self._learned, self.settings.clip)
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)


def forget(folder: Path) -> None:
    """Drop the state of a training and what it kept on its way, so that it begins anew."""
    forget_snapshots(folder)
    with suppress(FileNotFoundError):
        (folder / STATE).unlink()


def _order(count: int, seed: int, epoch: int) -> list[int]:
    """The examples of an epoch, mixed."""
    draw = torch.Generator().manual_seed(seed * _SEED_OF_MOVE + epoch)
    return [int(one) for one in torch.randperm(count, generator=draw)]
