"""A checkpoint of texts to learn order with, small enough to be watched: words of its own, random weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from stepscope.core.lazy import lazy_module
from stepscope.models.encoders import added
from stepscope.models.ordering import step_recipe

torch = lazy_module("torch")
transformers = lazy_module("transformers")

WORDS = ("[PAD]", "[CLS]", "[SEP]", "[MASK]", "[UNK]", "step", *map(str, range(12)))


@pytest.fixture(scope="session")
def step_words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of two layers over whole words."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    whole = Tokenizer(models.WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]"))
    whole.pre_tokenizer = pre_tokenizers.Whitespace()
    whole.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=whole, pad_token="[PAD]", mask_token="[MASK]", unk_token="[UNK]", cls_token="[CLS]",
        sep_token="[SEP]", model_max_length=60,
    )  # fmt: skip
    torch.manual_seed(0)
    sizes: dict[str, Any] = {"hidden_size": 32, "intermediate_size": 64, "num_attention_heads": 2}
    config = transformers.BertConfig(
        vocab_size=len(WORDS), num_hidden_layers=2, max_position_embeddings=64, pad_token_id=0, **sizes
    )
    folder = tmp_path_factory.mktemp("step-words")
    transformers.utils.logging.disable_progress_bar()
    for part in (transformers.BertModel(config).eval(), tokenizer):
        part.save_pretrained(folder)
    return folder


@pytest.fixture
def added_words(step_words: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """The checkpoint among the encoders that were added; its name. Pictures come as patches, whatever encoder of them
    is named."""
    monkeypatch.setattr(step_recipe, "load_views", lambda reference, device: ())
    monkeypatch.setattr(step_recipe, "gives_regions", lambda reference: reference == "ui-elements")
    monkeypatch.setattr(added, "list_file", lambda: tmp_path / added.FILE_NAME)
    added.add(step_words, "step-words")
    return "step-words"
