"""Encoders of texts out of folders of transformers: the library's own numbers, one text at a time, without padding."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.core.errors import OutOfMemory, UserError
from stepscope.core.lazy import lazy_module
from stepscope.models.encoders import transformers_text
from stepscope.models.encoders.families import FAMILIES
from stepscope.models.encoders.transformers_text import files, load

torch = lazy_module("torch")
transformers = lazy_module("transformers")
pytestmark = pytest.mark.needs("torch", "transformers")

TEXTS = ("open the settings", "ok", "turn off the alarm that rings at seven, please", "Überall")


def states(folder: Path, text: str, most: int) -> Any:
    """The last layer at all tokens of one text, by the library alone."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder).eval()
    with torch.inference_mode():
        return (
            model(**tokenizer(text, truncation=True, max_length=most, return_tensors="pt")).last_hidden_state[0].numpy()
        )


@pytest.mark.parametrize("family", ["bert", "roberta"])
def test_the_same_numbers_as_transformers(family: str, request: pytest.FixtureRequest) -> None:
    folder: Path = request.getfixturevalue(family)
    # RoBERTa's table has 40 places, of which the two up to its padding (1) are not used.
    most = 30 if family == "bert" else 38
    wanted = [states(folder, text, most) for text in TEXTS]
    assert len(wanted[2]) == most  # the third text is cut
    pooled, cls, tokens = (
        load(folder, device="cpu", output=output) for output in FAMILIES["transformers-text"].outputs
    )
    for place, found in enumerate(pooled.embed(TEXTS)):
        assert found == pytest.approx(wanted[place].mean(axis=0), abs=1e-5)
    for place, found in enumerate(cls.embed(TEXTS)):
        assert found == pytest.approx(wanted[place][0], abs=1e-5)
    for place, found in enumerate(tokens.embed(TEXTS)):
        assert found.shape == wanted[place].shape
        assert found == pytest.approx(wanted[place], abs=1e-5)
    assert [one.size for one in (pooled, cls, tokens)] == [16, 16, 16]
    assert [one.sequence for one in (pooled, cls, tokens)] == [False, False, True]
    assert len({one.fingerprint for one in (pooled, cls, tokens)}) == 3
    assert pooled.embed([]) == []


def sentence_folder(
    bert: Path, folder: Path, *, pooling: dict[str, Any], steps: tuple[str, ...], **sentences: Any
) -> Path:
    shutil.copytree(bert, folder)
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling))
    modules = [{"idx": at, "type": f"sentence_transformers.models.{step}"} for at, step in enumerate(steps)]
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "sentence_bert_config.json").write_text(json.dumps(sentences))
    return folder


def test_a_folder_of_sentence_transformers_says_how_tokens_are_pooled(bert: Path, tmp_path: Path) -> None:
    three = ("Transformer", "Pooling", "Normalize")
    cls = {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
    by_cls = sentence_folder(bert, tmp_path / "cls", pooling=cls, steps=three, max_seq_length=10, do_lower_case=True)
    (found,) = load(by_cls, device="cpu").embed(["Open The SETTINGS"])
    wanted = states(bert, "open the settings", 10)[0]
    assert found == pytest.approx(wanted / np.linalg.norm(wanted), abs=1e-5)
    mean = {"pooling_mode": "mean"}
    by_mean = sentence_folder(bert, tmp_path / "mean", pooling=mean, steps=("Transformer", "Pooling"))
    (found,) = load(by_mean, device="cpu").embed(["Open"])
    assert found == pytest.approx(states(bert, "Open", 30).mean(axis=0), abs=1e-5)


def test_steps_that_are_not_done_here_are_refused(bert: Path, tmp_path: Path) -> None:
    dense = sentence_folder(bert, tmp_path / "dense", pooling={}, steps=("Transformer", "Pooling", "Dense"))
    with pytest.raises(UserError, match="has the step 'Dense'") as caught:
        load(dense, device="cpu")
    assert caught.value.place == str(dense / "modules.json")
    longest = {"pooling_mode_max_tokens": True}
    by_max = sentence_folder(bert, tmp_path / "max", pooling=longest, steps=("Transformer", "Pooling"))
    with pytest.raises(UserError, match="pooled by max_tokens"):
        load(by_max, device="cpu")
    (by_max / "modules.json").write_text("{}")
    with pytest.raises(UserError, match="no list of the steps"):
        load(by_max, device="cpu")
    (by_max / "modules.json").write_text("[" * 100_000)
    with pytest.raises(UserError, match="cannot be read"):
        load(by_max, device="cpu")


def test_of_an_encoder_and_decoder_the_encoder_is_asked(t5: Path) -> None:
    (found,) = load(t5, device="cpu").embed(["ok"])
    model = transformers.T5Model.from_pretrained(t5).eval()
    with torch.inference_mode():
        given = transformers.AutoTokenizer.from_pretrained(t5)("ok", return_tensors="pt")
        wanted = model.encoder(**given).last_hidden_state[0].mean(dim=0).numpy()
    assert found == pytest.approx(wanted, abs=1e-5)


def test_weights_in_several_parts(bert: Path, tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    transformers.AutoModel.from_pretrained(bert).save_pretrained(folder, max_shard_size="10KB")
    transformers.AutoTokenizer.from_pretrained(bert).save_pretrained(folder)
    assert len(list(folder.glob("model-*.safetensors"))) > 1
    (found,) = load(folder, device="cpu").embed(["ok"])
    assert found == pytest.approx(states(bert, "ok", 30).mean(axis=0), abs=1e-5)
    assert "model.safetensors.index.json" in {one.name for one in files(folder)}


def test_what_else_is_asked_does_not_change_a_vector(bert: Path) -> None:
    encoder = load(bert, device="cpu")
    many = encoder.embed([f"{'long ' * (number % 7)}{number}" for number in range(70)])
    (alone,) = encoder.embed(["long long 9"])
    assert many[9] == pytest.approx(alone, abs=1e-6)


def test_memory_that_runs_out_is_told_as_such(bert: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = load(bert, device="cpu")

    def too_much(_inputs: object) -> None:
        raise RuntimeError("CUDA out of memory. Tried to allocate 20.00 GiB.")

    monkeypatch.setattr(encoder._runtime, "_run", too_much)
    with pytest.raises(OutOfMemory, match="does not fit into memory"):
        encoder.embed(["ok"])


def test_all_files_that_decide_are_told_by_the_fingerprint(bert: Path, tmp_path: Path) -> None:
    copied = tmp_path / "another name"
    shutil.copytree(bert, copied)
    same = load(copied, device="cpu").fingerprint
    assert same == load(bert, device="cpu").fingerprint
    assert {one.name for one in files(copied)} == {
        "model.safetensors", "config.json", "tokenizer.json", "tokenizer_config.json",
    }  # fmt: skip
    settings = json.loads((copied / "tokenizer_config.json").read_text())
    (copied / "tokenizer_config.json").write_text(json.dumps({**settings, "model_max_length": 12}))
    assert load(copied, device="cpu").fingerprint != same


def test_code_of_the_folder_is_never_run(bert: Path, tmp_path: Path) -> None:
    for name in ("config.json", "tokenizer_config.json"):
        folder = tmp_path / name.partition(".")[0]
        shutil.copytree(bert, folder)
        form = json.loads((folder / name).read_text())
        (folder / name).write_text(
            json.dumps({**form, "auto_map": {"AutoModel": "evil.Evil", "AutoTokenizer": "evil.E"}})
        )
        (folder / "evil.py").write_text("raise SystemExit('ran')")
        with pytest.raises(UserError, match="auto_map") as caught:
            load(folder, device="cpu")
        assert caught.value.place == str(folder / name)


def damaged(bert: Path, folder: Path, damage: str) -> Path:
    """A copy of the folder with one thing wrong."""
    shutil.copytree(bert, folder)
    weights, config, words = folder / "model.safetensors", folder / "config.json", folder / "tokenizer.json"
    told = json.loads(config.read_text())
    if damage == "pickled":
        weights.unlink()
        torch.save({"a": torch.zeros(2)}, folder / "pytorch_model.bin")
    elif damage == "no weights":
        weights.unlink()
    elif damage == "half a download":
        weights.write_bytes(weights.read_bytes()[:2000])
    elif damage == "a longer header than the file":
        weights.write_bytes((10**12).to_bytes(8, "little") + b"{}")
    elif damage == "a part is missing":
        shards = {"a": "model.safetensors", "b": "../model-00002-of-00002.safetensors"}
        (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": shards}))
    elif damage == "an adapter":
        (folder / "adapter_config.json").write_text("{}")
    elif damage == "no config":
        config.unlink()
    elif damage == "a list for a config":
        config.write_text("[]")
    elif damage == "another width":
        config.write_text(json.dumps({**told, "intermediate_size": 64}))
    elif damage == "more layers than weights":
        config.write_text(json.dumps({**told, "num_hidden_layers": 3}))
    elif damage == "layers without end":
        config.write_text(json.dumps({**told, "num_hidden_layers": 10**9}))
    elif damage == "an unknown network":
        config.write_text(json.dumps({**told, "model_type": "gru-9000"}))
    elif damage == "half a tokenizer":
        words.write_text(words.read_text()[:300])
    elif damage == "no tokenizer":
        words.unlink()
    else:
        config.write_text(json.dumps({**told, "hidden_size": "sixteen"}))
    return folder


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ("pickled", "pickled weights only"),
        ("no weights", "has no weights"),
        ("half a download", "model"),
        ("a longer header than the file", "shorter than its header"),
        ("a part is missing", r"names '\.\./model-00002-of-00002.safetensors', which is not beside it"),
        ("an adapter", "is an adapter"),
        ("no config", "has no config.json"),
        ("a list for a config", "is no object of JSON"),
        ("another width", "its weights are not those of the network"),
        ("more layers than weights", "its weights are not those of the network"),
        ("layers without end", "1,000,000,000 layers"),
        ("an unknown network", "cannot be loaded as a model of transformers"),
        ("half a tokenizer", "tokenizer"),
        ("no tokenizer", "tokenizer"),
        ("a width in words", "cannot be loaded"),
    ],
)
def test_a_folder_that_cannot_be_used_is_named_in_one_sentence(
    bert: Path, tmp_path: Path, damage: str, words: str
) -> None:
    folder = damaged(bert, tmp_path / "damaged", damage)
    with pytest.raises(UserError, match=words) as caught:
        load(folder, device="cpu")
    assert caught.value.place.startswith(str(folder))
    assert "\n" not in str(caught.value)
    if damage == "pickled":
        assert "save_pretrained" in caught.value.hint


def test_the_usual_output_is_the_mean(bert: Path) -> None:
    assert transformers_text.sentence_pooling(bert) == transformers_text.SentencePooling("mean", length_1=False)
