"""Image-text-to-text checkpoints of five families, small and of random weights, written by the library itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from stepscope.core.lazy import lazy_module
from tests.models.chat.conftest import own_home, ring, stage  # noqa: F401 - fixtures

torch = lazy_module("torch")
transformers = lazy_module("transformers")

TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n"
    "{% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content %}"
    "{% if p.type == 'image' %}IMAGE{% else %}{{ p.text }}{% endif %}{% endfor %}{% endif %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
"""A chat template; IMAGE stands for what the family puts in a picture's place."""

QWEN = {
    "image_token": "<|image_pad|>", "video_token": "<|video_pad|>", "vision_bos_token": "<|vision_start|>",
    "vision_eos_token": "<|vision_end|>",
}  # fmt: skip
TEXT = {
    "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4,
    "num_key_value_heads": 2, "max_position_embeddings": 16384, "tie_word_embeddings": False,
}  # fmt: skip


def tokenizer(named: dict[str, str], more: tuple[str, ...] = ()) -> Any:
    """Single bytes and special tokens, made without files."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    whole = Tokenizer(models.BPE(vocab={sign: number for number, sign in enumerate(alphabet)}, merges=[]))
    whole.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    whole.decoder = decoders.ByteLevel()
    whole.add_special_tokens(["<|im_start|>", "<|im_end|>", "<|pad|>", *dict.fromkeys((*named.values(), *more))])
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=whole, eos_token="<|im_end|>", pad_token="<|pad|>", extra_special_tokens=named
    )


def saved(folder: Path, model: Any, processor: Any) -> Path:
    transformers.utils.logging.disable_progress_bar()
    transformers.utils.logging.set_verbosity_error()
    model.generation_config.eos_token_id = processor.tokenizer.eos_token_id
    model.generation_config.pad_token_id = processor.tokenizer.pad_token_id
    model.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


def ids(tokens: Any, *names: str) -> dict[str, int]:
    return {f"{name}_id": tokens.convert_tokens_to_ids(getattr(tokens, name)) for name in names}


def qwen25(folder: Path) -> Path:
    tokens = tokenizer(QWEN)
    model = transformers.Qwen2_5_VLForConditionalGeneration(
        transformers.Qwen2_5_VLConfig(
            text_config={
                **TEXT, "vocab_size": len(tokens),
                "rope_parameters": {"rope_type": "default", "rope_theta": 1e6, "mrope_section": [2, 3, 3]},
                "bos_token_id": None, "eos_token_id": tokens.eos_token_id, "pad_token_id": tokens.pad_token_id,
            },
            vision_config={
                "depth": 2, "hidden_size": 32, "intermediate_size": 64, "num_heads": 2, "out_hidden_size": 64,
                "patch_size": 14, "spatial_merge_size": 2, "window_size": 112, "fullatt_block_indexes": [1],
            },
            **_qwen_ids(tokens),
        )
    )  # fmt: skip
    return saved(folder, model, _qwen_processor(transformers.Qwen2_5_VLProcessor, tokens, 14))


def qwen3(folder: Path) -> Path:
    tokens = tokenizer(QWEN)
    model = transformers.Qwen3VLForConditionalGeneration(
        transformers.Qwen3VLConfig(
            text_config={
                **TEXT, "vocab_size": len(tokens), "head_dim": 16,
                "rope_parameters": {
                    "rope_type": "default", "rope_theta": 1e6, "mrope_section": [2, 3, 3], "mrope_interleaved": True,
                },
                "bos_token_id": None, "eos_token_id": tokens.eos_token_id, "pad_token_id": tokens.pad_token_id,
            },
            vision_config={
                "depth": 3, "hidden_size": 32, "intermediate_size": 64, "num_heads": 2, "out_hidden_size": 64,
                "patch_size": 16, "spatial_merge_size": 2, "num_position_embeddings": 64,
                "deepstack_visual_indexes": [0, 1],
            },
            **_qwen_ids(tokens),
        )
    )  # fmt: skip
    return saved(folder, model, _qwen_processor(transformers.Qwen3VLProcessor, tokens, 16))


def _qwen_ids(tokens: Any) -> dict[str, int]:
    found = ids(tokens, "image_token", "video_token")
    return found | {
        "vision_start_token_id": tokens.convert_tokens_to_ids("<|vision_start|>"),
        "vision_end_token_id": tokens.convert_tokens_to_ids("<|vision_end|>"),
    }


def _qwen_processor(kind: Any, tokens: Any, patch: int) -> Any:
    side = (2 * patch) ** 2
    images = transformers.Qwen2VLImageProcessor(patch_size=patch, min_pixels=4 * side, max_pixels=64 * side)
    videos = transformers.AutoVideoProcessor
    made = transformers.Qwen2VLVideoProcessor(patch_size=patch) if videos else None
    template = TEMPLATE.replace("IMAGE", "<|vision_start|><|image_pad|><|vision_end|>")
    return kind(image_processor=images, tokenizer=tokens, video_processor=made, chat_template=template)


def llava(folder: Path) -> Path:
    tokens = tokenizer({"image_token": "<image>", "video_token": "<video>"})
    model = transformers.LlavaOnevisionForConditionalGeneration(
        transformers.LlavaOnevisionConfig(
            text_config={"model_type": "qwen2", **TEXT, "vocab_size": len(tokens)},
            vision_config={
                "model_type": "siglip_vision_model", "hidden_size": 32, "intermediate_size": 64,
                "num_hidden_layers": 2, "num_attention_heads": 2, "image_size": 28, "patch_size": 7,
                "vision_use_head": False,
            },
            image_grid_pinpoints=[[28, 28], [28, 56], [56, 28]],
            image_token_id=tokens.convert_tokens_to_ids("<image>"),
            video_token_id=tokens.convert_tokens_to_ids("<video>"),
            image_token_index=tokens.convert_tokens_to_ids("<image>"),
            video_token_index=tokens.convert_tokens_to_ids("<video>"),
        )
    )  # fmt: skip
    processor = transformers.LlavaOnevisionProcessor(
        image_processor=transformers.LlavaOnevisionImageProcessor(
            size={"height": 28, "width": 28}, image_grid_pinpoints=[[28, 28], [28, 56], [56, 28]]
        ),
        tokenizer=tokens,
        video_processor=transformers.LlavaOnevisionVideoProcessor(size={"height": 28, "width": 28}),
        num_image_tokens=16,
        vision_feature_select_strategy="full",
        chat_template=TEMPLATE.replace("IMAGE", "<image>"),
    )
    return saved(folder, model, processor)


def internvl(folder: Path) -> Path:
    names = {
        "start_image_token": "<img>", "end_image_token": "</img>", "context_image_token": "<IMG_CONTEXT>",
        "video_token": "<video>",
    }  # fmt: skip
    tokens = tokenizer(names)
    model = transformers.InternVLForConditionalGeneration(
        transformers.InternVLConfig(
            text_config={"model_type": "qwen2", **TEXT, "vocab_size": len(tokens)},
            vision_config={
                "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2,
                "image_size": [56, 56], "patch_size": [14, 14],
            },
            downsample_ratio=0.5,
            image_seq_length=4,
            image_token_id=tokens.convert_tokens_to_ids("<IMG_CONTEXT>"),
        )
    )  # fmt: skip
    processor = transformers.InternVLProcessor(
        image_processor=transformers.GotOcr2ImageProcessor(size={"height": 56, "width": 56}, max_patches=4),
        tokenizer=tokens,
        video_processor=transformers.InternVLVideoProcessor(size={"height": 56, "width": 56}),
        image_seq_length=4,
        chat_template=TEMPLATE.replace("IMAGE", "<IMG_CONTEXT>"),
    )
    return saved(folder, model, processor)


def idefics(folder: Path) -> Path:
    """SmolVLM's network is Idefics3's; its own processor needs a library for numbers in words."""
    names = {
        "image_token": "<image>", "fake_image_token": "<fake_token_around_image>",
        "global_image_token": "<global-img>", "end_of_utterance_token": "<end_of_utterance>",
    }  # fmt: skip
    rows = tuple(f"<row_{row}_col_{column}>" for row in range(1, 7) for column in range(1, 7))
    tokens = tokenizer(names, rows)
    model = transformers.Idefics3ForConditionalGeneration(
        transformers.Idefics3Config(
            text_config={
                "model_type": "llama", **TEXT, "vocab_size": len(tokens), "pad_token_id": tokens.pad_token_id,
            },
            vision_config={
                "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2,
                "image_size": 56, "patch_size": 7,
            },
            scale_factor=2,
            image_token_id=tokens.convert_tokens_to_ids("<image>"),
        )
    )  # fmt: skip
    processor = transformers.Idefics3Processor(
        image_processor=transformers.Idefics3ImageProcessor(
            size={"longest_edge": 112}, max_image_size={"longest_edge": 56}
        ),
        tokenizer=tokens,
        image_seq_len=16,
        chat_template=TEMPLATE.replace("IMAGE", "<image>"),
    )
    return saved(folder, model, processor)


FAMILIES = {"qwen2.5-vl": qwen25, "qwen3-vl": qwen3, "llava-onevision": llava, "internvl": internvl, "smolvlm": idefics}


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Makes the checkpoint of a family, once."""
    made: dict[str, Path] = {}

    def make(family: str) -> Path:
        if family not in made:
            torch.manual_seed(0)
            made[family] = FAMILIES[family](tmp_path_factory.mktemp("checkpoints") / family)
        return made[family]

    return make


@pytest.fixture(scope="session")
def loud(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Qwen2.5-VL whose last layer is twenty times as strong: of small random weights alone no adapter could make it
    sure of a word."""
    from stepscope.models.checkpoints.checkpoint import Checkpoint
    from stepscope.models.checkpoints.generation import LoadedCheckpoint

    torch.manual_seed(0)
    folder = qwen25(tmp_path_factory.mktemp("checkpoints") / "loud")
    network = LoadedCheckpoint(Checkpoint("loud", str(folder)), "cpu").network
    with torch.no_grad():
        network.lm_head.weight.mul_(20)
    network.save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def knowing(tiny: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Qwen2.5-VL that answers the question of its adapter with one call, by heart."""
    from tests.models.checkpoints.teaching import taught_the_tap

    return taught_the_tap(tiny("qwen2.5-vl"), tmp_path_factory.mktemp("taught") / "knowing")
