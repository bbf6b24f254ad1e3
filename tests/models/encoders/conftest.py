"""Checkpoints of every family, small and of random weights, written by the libraries themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.core.lazy import lazy_module

torch = lazy_module("torch")
transformers = lazy_module("transformers")

TEXTS = ("open the settings", "ok", "turn off the alarm that rings at seven, please", "Überall")
MOST_TOKENS = 30

TEXT_SIZES = {
    "vocab_size": 300, "hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2,
    "max_position_embeddings": 40, "pad_token_id": 256, "bos_token_id": 257, "eos_token_id": 258,
}  # fmt: skip
IMAGE_SIZES = {
    "hidden_size": 24, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "image_size": 32,
    "patch_size": 8,
}  # fmt: skip


def tokenizer(*, most: int = MOST_TOKENS, inputs: tuple[str, ...] = ("input_ids", "attention_mask")) -> Any:
    """A tokenizer of single bytes that puts <s> and </s> around every text, made without files."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    whole = Tokenizer(models.BPE(vocab={sign: number for number, sign in enumerate(alphabet)}, merges=[]))
    whole.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    whole.add_special_tokens(["<pad>", "<s>", "</s>"])
    whole.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 257), ("</s>", 258)]
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=whole, pad_token="<pad>", bos_token="<s>", eos_token="</s>", model_max_length=most,
        model_input_names=list(inputs),
    )  # fmt: skip


def saved(folder: Path, *parts: Any) -> Path:
    """The folder with everything that these parts of a model write."""
    transformers.utils.logging.disable_progress_bar()
    for part in parts:
        part.save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT with a tokenizer that gives kinds of tokens too."""
    torch.manual_seed(0)
    model = transformers.BertModel(transformers.BertConfig(**TEXT_SIZES)).eval()
    inputs = ("input_ids", "token_type_ids", "attention_mask")
    return saved(tmp_path_factory.mktemp("bert"), model, tokenizer(inputs=inputs))


@pytest.fixture(scope="session")
def roberta(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A RoBERTa as it is trained on masked words: without a pooler. Its tokenizer names no longest text."""
    torch.manual_seed(1)
    sizes = {**TEXT_SIZES, "pad_token_id": 1}
    model = transformers.RobertaForMaskedLM(transformers.RobertaConfig(**sizes)).eval()
    return saved(tmp_path_factory.mktemp("roberta"), model, tokenizer(most=10**30))


@pytest.fixture(scope="session")
def t5(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(6)
    config = transformers.T5Config(
        vocab_size=300, d_model=16, d_kv=8, d_ff=32, num_layers=2, num_heads=2, decoder_start_token_id=256
    )
    return saved(tmp_path_factory.mktemp("t5"), transformers.T5Model(config).eval(), tokenizer())


@pytest.fixture(scope="session")
def clip_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(2)
    config = transformers.CLIPConfig(text_config=TEXT_SIZES, vision_config=IMAGE_SIZES, projection_dim=12)
    processor = transformers.CLIPImageProcessor(size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32})
    return saved(tmp_path_factory.mktemp("clip"), transformers.CLIPModel(config).eval(), tokenizer(), processor)


@pytest.fixture(scope="session")
def siglip_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(3)
    text = {**TEXT_SIZES, "projection_size": 24, "max_position_embeddings": MOST_TOKENS}
    config = transformers.SiglipConfig(text_config=text, vision_config=IMAGE_SIZES)
    processor = transformers.SiglipImageProcessor(size={"height": 32, "width": 32})
    words = tokenizer(inputs=("input_ids",))
    return saved(tmp_path_factory.mktemp("siglip"), transformers.SiglipModel(config).eval(), words, processor)


@pytest.fixture(scope="session")
def dinov2(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(4)
    sizes = {name: value for name, value in IMAGE_SIZES.items() if name != "intermediate_size"}
    model = transformers.Dinov2Model(transformers.Dinov2Config(**sizes, mlp_ratio=2)).eval()
    processor = transformers.BitImageProcessor(size={"shortest_edge": 40}, crop_size={"height": 32, "width": 32})
    return saved(tmp_path_factory.mktemp("dinov2"), model, processor)


@pytest.fixture(scope="session")
def vit_classifier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ViT trained to name classes: its file has no weights of a pooler."""
    torch.manual_seed(5)
    model = transformers.ViTForImageClassification(transformers.ViTConfig(**IMAGE_SIZES)).eval()
    return saved(
        tmp_path_factory.mktemp("vit"), model, transformers.ViTImageProcessor(size={"height": 32, "width": 32})
    )


@pytest.fixture(scope="session")
def convnext(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(7)
    config = transformers.ConvNextConfig(hidden_sizes=[4, 8, 12, 16], depths=[1, 1, 1, 1])
    processor = transformers.ConvNextImageProcessor(size={"shortest_edge": 64}, crop_pct=0.9)
    return saved(tmp_path_factory.mktemp("convnext"), transformers.ConvNextModel(config).eval(), processor)


@pytest.fixture(scope="session")
def screens() -> list[Any]:
    """Three pictures of a phone's and a desk's proportions: plain areas, lines and noise."""
    rng = np.random.default_rng(0)
    found = []
    for width, height in ((108, 240), (54, 96), (160, 90)):
        pixels = np.full((height, width, 3), 240, np.uint8)
        pixels[height // 4 : height // 2, width // 5 :] = rng.integers(0, 255, 3, np.uint8)
        pixels[height // 2 :, : width // 2] = rng.integers(0, 255, (height - height // 2, width // 2, 3), np.uint8)
        found.append(pixels)
    return found
