"""A checkpoint in memory: asked as a served model is, several questions at once, and ended within a token.

The library transformers does the work; importing it takes seconds, so this is loaded where models run and nowhere else.
"""

from __future__ import annotations

import base64
import io
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

from stepscope.core.domain.model_call import CallAttempt
from stepscope.core.domain.prediction import PredictionStatus
from stepscope.core.errors import UnavailableError, UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken
from stepscope.models.chat.answers import ChatAnswer
from stepscope.models.chat.calls import model_call
from stepscope.models.chat.chat import STOPPED
from stepscope.models.chat.client import ServerError
from stepscope.models.checkpoints.checkpoint import Checkpoint
from stepscope.models.checkpoints.facts import CheckpointFacts, facts_of
from stepscope.models.encoders.torch_encoders import told
from stepscope.models.encoders.transformers_folder import quiet
from stepscope.models.runtimes.devices import ComputeDevice, resolve
from stepscope.models.runtimes.driver import gpus
from stepscope.models.runtimes.memory import in_memory
from stepscope.models.runtimes.weights import check_weights

if TYPE_CHECKING:
    import peft
    import torch
    import transformers
    from PIL import Image
else:
    peft = lazy_module("peft")
    Image = lazy_module("PIL.Image")
    torch = lazy_module("torch")
    transformers = lazy_module("transformers")

_INSTALL = "Install the extra: pip install 'stepscope[vlm]'."
_PNG = "data:image/"
CUT = "length"
"""The word for an answer that was ended at its limit, as servers say it."""
Message = dict[str, Any]
Heard = Callable[[str], None]
"""Is given each piece of an answer as it is written."""


class LoadedCheckpoint:
    """See `Chat`. What is asked from several threads waits in turn; `ask_all` asks several questions at once."""

    def __init__(self, checkpoint: Checkpoint, device: str = "auto") -> None:
        """Loads model and processor. Raises UnavailableError without the libraries, UserError for what `facts.look`
        refuses and for weights that are not those of the config, OutOfMemory."""
        self.checkpoint = checkpoint
        self.facts: CheckpointFacts = facts_of(checkpoint)
        if self.facts.code and not checkpoint.code:
            hint = "If you trust it: stepscope models add FOLDER --replace --run-its-code."
            raise UserError("brings Python code of its own, which is not run unless you say so.", hint=hint,
                            place=checkpoint.folder)  # fmt: skip
        _needed(bool(checkpoint.lora))
        self.device: ComputeDevice = resolve(device)
        self.dtype = self._dtype()
        self._model, self._processor = in_memory(lambda: self._load(device), str(self.device), self.facts.folder)
        self._lock = threading.Lock()
        self._token = CancelToken()

    # Asking ----------------------------------------------------------------------------------------------------------

    def set_token(self, token: CancelToken) -> None:
        self._token = token

    def ask(self, messages: list[Message], most_tokens: int, *, heard: Heard | None = None) -> ChatAnswer | ServerError:
        """`heard` is given the answer piece by piece while it is written. Raises OutOfMemory."""
        return self.ask_all([messages], most_tokens, heard=heard)[0]

    def ask_all(
        self, several: Sequence[list[Message]], most_tokens: int, *, heard: Heard | None = None
    ) -> list[ChatAnswer | ServerError]:
        """The answer to each, all computed together; greedy, so that the same question has the same answer. Raises
        OutOfMemory where they are too many, or the pictures too large."""
        with self._lock:
            if self._token.cancelled:
                return [ServerError(STOPPED)] * len(several)
            return in_memory(lambda: self._answered(several, most_tokens, heard), str(self.device), self.facts.folder)

    def _answered(
        self, several: Sequence[list[Message]], most_tokens: int, heard: Heard | None
    ) -> list[ChatAnswer | ServerError]:
        start = time.monotonic()
        try:
            inputs = self._inputs([[with_pictures(one) for one in messages] for messages in several])
        except UserError as error:
            return [ServerError(str(error))] * len(several)
        asked = inputs["input_ids"].shape[1]
        first: list[float] = []

        def one_more(_: str = "") -> None:
            if not first:
                first.append(1000 * (time.monotonic() - start))

        with torch.inference_mode(), quiet(), told(self.facts.folder, "could not answer"):
            found = self._model.generate(
                **inputs,
                max_new_tokens=most_tokens,
                do_sample=False,
                stopping_criteria=_criteria(self._token, one_more),
                streamer=_Pieces(self._tokenizer, heard) if heard is not None and len(several) == 1 else None,
            )
        if self._token.cancelled:
            return [ServerError(STOPPED)] * len(several)
        ms = 1000 * (time.monotonic() - start)
        answers = found if self._is_encoder_decoder else found[:, asked:]
        read = inputs["attention_mask"].sum(dim=1).tolist()
        return [
            self._answer(messages, answer, tokens_in, most_tokens, ms, first[0] if first else None)
            for messages, answer, tokens_in in zip(several, answers, read, strict=True)
        ]

    def _answer(
        self, messages: list[Message], ids: Any, tokens_in: int, most: int, ms: float, first_ms: float | None
    ) -> ChatAnswer:
        kept = _until(ids.tolist(), self._ends)
        text = cast(str, self._tokenizer.decode(kept, skip_special_tokens=False))
        for token in self._hidden:
            text = text.replace(token, "")
        ended = len(kept) < len(ids) or len(ids) < most
        body = {"model": self.checkpoint.name, "messages": messages, "max_tokens": most, **self._settings}
        why = "" if ended else "The answer was cut off before its end: the model may say too much before it."
        status = PredictionStatus.OK if ended else PredictionStatus.MALFORMED
        if ended and not text.strip():
            status, why = PredictionStatus.EMPTY, "The model said nothing."
        answer = ChatAnswer(
            status, text if ended else "", why=why, raw=text, ms=ms, tokens_in=int(tokens_in),
            tokens_out=len(kept) + 1 if ended else len(kept), unended=not ended, stop="stop" if ended else CUT,
        )  # fmt: skip
        call = model_call(body, answer, [CallAttempt("", ms)], None)
        return _with_call(answer, call, first_ms)

    # Being tuned -----------------------------------------------------------------------------------------------------

    @property
    def network(self) -> Any:
        """The model itself."""
        return self._model

    @property
    def processor(self) -> Any:
        """What makes numbers out of words and pictures."""
        return self._processor

    def with_answer(self, messages: list[Message], answer: str) -> tuple[Any, Any]:
        """A question with its answer behind it, as inputs of the model, and its labels (1, tokens): the answer's tokens
        and the end of the turn, -100 in all other places. Raises UserError for a question that cannot be taken, and for
        a model that reads and writes apart."""
        if self._is_encoder_decoder:
            raise UserError("reads and writes in two parts, and cannot be tuned here.", place=self.facts.folder)
        inputs = self._inputs([[with_pictures(one) for one in messages]])
        asked = inputs["input_ids"]
        said = self._tokenizer(answer, add_special_tokens=False)["input_ids"] + self._turn_end()
        behind = torch.tensor([said], dtype=asked.dtype, device=asked.device)
        labels = torch.cat((torch.full_like(asked, -100), behind), dim=1)
        for name, value in list(inputs.items()):
            if name == "input_ids":
                inputs[name] = torch.cat((value, behind), dim=1)
            elif getattr(value, "shape", None) == asked.shape:  # a value for each token: the mask, the kinds
                fill = torch.ones_like(behind) if name == "attention_mask" else torch.zeros_like(behind)
                inputs[name] = torch.cat((value, fill.to(value.dtype)), dim=1)
        self._check_length(inputs["input_ids"].shape[1])
        return inputs, labels

    def _turn_end(self) -> list[int]:
        """The tokens by which the chat template ends an answer, up to the one at which generating ends."""
        mark = "\N{SYMBOL FOR RECORD SEPARATOR}"
        turns = [("user", "?"), ("assistant", mark)]
        talk = [{"role": role, "content": [{"type": "text", "text": text}]} for role, text in turns]
        with quiet(), told(self.facts.folder, "its chat template cannot tell an answer"):
            text = cast(str, self._processor.apply_chat_template(talk, tokenize=False))
        behind = self._tokenizer(text.rpartition(mark)[2], add_special_tokens=False)["input_ids"]
        place = next((place for place, one in enumerate(behind) if one in self._ends), None)
        return [self._tokenizer.eos_token_id] if place is None else list(behind[: place + 1])

    def _inputs(self, several: Sequence[list[Message]]) -> Any:
        more: dict[str, Any] = {"padding": True, "padding_side": "left"}
        if all(self._fits_grid(picture) for messages in several for picture in _pictures(messages)):
            more["do_resize"] = False  # the program has resized it to exactly what the model takes
        with quiet(), told(self.facts.folder, "its processor cannot take the question"):
            found = self._processor.apply_chat_template(
                list(several),
                tokenize=True,
                add_generation_prompt=True,
                return_dict=True,
                return_tensors="pt",
                processor_kwargs=more,
            )
        found = found.to(self._model.device)
        for name, value in list(found.items()):
            if hasattr(value, "is_floating_point") and value.is_floating_point():
                found[name] = value.to(self._model.dtype)
        self._check_length(found["input_ids"].shape[1])
        return found

    def _check_length(self, said: int) -> None:
        """Raises UserError for more tokens than the model takes."""
        longest = getattr(self._model.config.get_text_config(), "max_position_embeddings", None)
        if longest and said >= longest:
            hint = "Send fewer screens, or smaller pictures."
            raise UserError(f"The question has {said:,} tokens, of {longest:,} that the model takes.", hint=hint)

    def _fits_grid(self, picture: Any) -> bool:
        """Whether the processor would take the picture in its own size: both sides are multiples of its blocks."""
        side = self._grid
        return side > 0 and picture.width % side == 0 and picture.height % side == 0

    # Loading ---------------------------------------------------------------------------------------------------------

    def _dtype(self) -> str:
        wanted = self.checkpoint.dtype
        if wanted != "auto":
            return wanted
        return "bfloat16" if self.device.kind == "cuda" else "auto"

    def _load(self, device: str) -> tuple[Any, Any]:
        folder, trusted = self.facts.folder, self.facts.code and self.checkpoint.code
        for file in folder.glob("*.safetensors"):
            check_weights(file)
        common: dict[str, Any] = {"local_files_only": True, "trust_remote_code": trusted}
        with quiet(), told(folder, "its processor cannot be loaded"):
            of_processors: Any = transformers.AutoProcessor
            processor = of_processors.from_pretrained(folder, **common)
        if getattr(processor, "chat_template", None) is None:
            raise UserError("its processor lacks a chat template.", place=folder)
        attention = "sdpa" if self.checkpoint.attention == "auto" else self.checkpoint.attention
        spread = self.device.kind == "cuda" and device == "auto" and len(gpus().found) > 1
        placed = {"device_map": "auto" if spread else {"": str(self.device)}} if self.device.kind == "cuda" else {}
        with quiet(), told(folder, "cannot be loaded as a model that sees and writes"):
            of_models: Any = transformers.AutoModelForImageTextToText
            model, found = of_models.from_pretrained(
                folder, use_safetensors=True, dtype=self.dtype, attn_implementation=attention,
                output_loading_info=True, **placed, **common,
            )  # fmt: skip
        if lacking := sorted(str(one) for one in (*found["missing_keys"], *found["mismatched_keys"])):
            why = f"its weights are not those of the network that its config describes: {lacking[0][:80]} is not there"
            raise UserError(f"{why}, or has another shape.", place=folder, hint="Fetch the whole folder again.")
        if self.facts.adapts is not None:
            check_weights(self.facts.adapts / "adapter_model.safetensors")
            with quiet(), told(self.facts.adapts, "does not fit this model"):
                model = peft.PeftModel.from_pretrained(model, self.facts.adapts, local_files_only=True)
        model.eval()
        self._learn(model, processor)
        return model, processor

    def _learn(self, model: Any, processor: Any) -> None:
        """What answering needs to know of both."""
        self._tokenizer: Any = getattr(processor, "tokenizer", processor)
        images = getattr(processor, "image_processor", None)
        patch, merge = getattr(images, "patch_size", None), getattr(images, "merge_size", None)
        self._grid = patch * merge if isinstance(patch, int) and isinstance(merge, int) else 0
        self._is_encoder_decoder = bool(getattr(model.config, "is_encoder_decoder", False))
        ends = model.generation_config.eos_token_id
        ends = [ends] if isinstance(ends, int) else list(ends or ())
        self._ends = frozenset((*ends, self._tokenizer.eos_token_id, self._tokenizer.pad_token_id)) - {None}
        hidden = (self._tokenizer.eos_token, self._tokenizer.pad_token, self._tokenizer.bos_token)
        self._hidden = tuple(one for one in hidden if one)
        if model.generation_config.pad_token_id is None:
            model.generation_config.pad_token_id = self._tokenizer.pad_token_id
        for name in ("temperature", "top_p", "top_k"):  # greedy: they would only be warned of
            setattr(model.generation_config, name, None)
        self._settings = {
            "device": str(self.device),
            "dtype": str(model.dtype).removeprefix("torch."),
            "attention": str(getattr(model.config, "_attn_implementation", "")),
        }
        if self.facts.adapts is not None:
            self._settings["lora"] = self.facts.adapts.name


def _needed(adapts: bool) -> None:
    for name in ("transformers", "torch", "PIL", *(("peft",) if adapts else ())):
        try:
            __import__(name)
        except ImportError as error:
            raise UnavailableError(f"A local checkpoint needs the package {name}.", hint=_INSTALL) from error


def _criteria(token: CancelToken, tick: Callable[[], None]) -> Any:
    """Ends generating within a token of being cancelled."""

    class _Cancelled(transformers.StoppingCriteria):  # type: ignore[misc]
        def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:
            tick()
            return torch.full((input_ids.shape[0],), token.cancelled, dtype=torch.bool, device=input_ids.device)

    return transformers.StoppingCriteriaList([_Cancelled()])


class _Pieces:
    """Gives each token's letters as soon as they are whole; a streamer as the library wants it."""

    def __init__(self, tokenizer: Any, heard: Heard) -> None:
        self._tokenizer, self._heard = tokenizer, heard
        self._ids: list[int] = []
        self._said = 0
        self._prompt = True

    def put(self, value: Any) -> None:
        if self._prompt:  # the question comes first
            self._prompt = False
            return
        self._ids += value.reshape(-1).tolist()
        text = self._tokenizer.decode(self._ids, skip_special_tokens=True)
        if not text.endswith("\ufffd"):  # a letter of several tokens
            self._tell(text)

    def end(self) -> None:
        self._tell(self._tokenizer.decode(self._ids, skip_special_tokens=True))

    def _tell(self, text: str) -> None:
        if len(text) > self._said:
            self._heard(text[self._said :])
            self._said = len(text)


def _until(ids: list[int], ends: frozenset[int]) -> list[int]:
    return next((ids[:place] for place, one in enumerate(ids) if one in ends), ids)


def _with_call(answer: ChatAnswer, call: Any, first_ms: float | None) -> ChatAnswer:
    from dataclasses import replace

    return replace(answer, call=replace(call, first_ms=first_ms))


def with_pictures(message: Message) -> Message:
    """A message of a chat completion as the library's processors take it: pictures in place of their addresses."""
    content = message["content"]
    parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
    return {"role": message["role"], "content": [_part(one) for one in parts]}


def _part(part: Message) -> Message:
    if part["type"] != "image_url":
        return part
    url = str(part["image_url"]["url"])
    if not url.startswith(_PNG):
        raise UserError("A picture of the question is no file of it.")
    picture = Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2])))
    return {"type": "image", "image": picture.convert("RGB")}


def _pictures(messages: Sequence[Message]) -> Iterator[Any]:
    for message in messages:
        for part in message["content"]:
            if part["type"] == "image":
                yield part["image"]
