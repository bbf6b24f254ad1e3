"""`lm-perplexity` on a small causal model of random weights: its orders against every order scored by the library."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stepscope.core.domain.prediction import OrderAnswer, Prediction, PredictionStatus, Task
from stepscope.core.domain.procedure import ProcedureStep
from stepscope.core.errors import UsageError, UserError
from stepscope.core.evaluation.predictor import OrderRequest
from stepscope.core.lazy import lazy_module
from stepscope.models import registry
from stepscope.models.checkpoints import checkpoint
from stepscope.models.checkpoints.checkpoint import Checkpoint
from stepscope.models.encoders import added
from tests.models.checkpoints.conftest import qwen25
from tests.models.encoders.conftest import TEXT_SIZES, saved, tokenizer

torch = lazy_module("torch")
transformers = lazy_module("transformers")
pytestmark = pytest.mark.needs("torch", "transformers")

NAME = "lm-perplexity?weights=tiny"
PLACES = 420
STEPS = ("open the settings", "tap sound", "turn it down", "go back")


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(3)
    sizes = {"vocab_size": 259, "n_positions": PLACES, "n_embd": 16, "n_layer": 2, "n_head": 2}
    config = transformers.GPT2Config(**sizes, initializer_range=0.4)
    return saved(tmp_path_factory.mktemp("gpt2"), transformers.GPT2LMHeadModel(config).eval(), tokenizer(most=10**30))


@pytest.fixture
def tiny(gpt2: Path) -> Any:
    added.add(gpt2, "tiny")
    return registry.load(NAME, device="cpu")


def request(*texts: str, goal: str = "make it quiet") -> OrderRequest:
    return OrderRequest("p", goal, tuple(ProcedureStep(str(place), text) for place, text in enumerate(texts, start=1)))


def order_of(found: Prediction) -> tuple[str, ...]:
    assert isinstance(found.answer, OrderAnswer)
    return found.answer.order


def likelihood(folder: Path, lines: list[str]) -> float:
    """The log likelihood of these lines as one text, by the library's own loss."""
    model = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()
    text = "".join(f"{line}\n" for line in lines)
    ids = torch.tensor([[257, *transformers.AutoTokenizer.from_pretrained(folder)(text)["input_ids"][1:-1]]])
    with torch.inference_mode():
        return -float(model(input_ids=ids, labels=ids).loss) * (ids.shape[1] - 1)


def test_the_order_is_the_likeliest_of_all(tiny: Any, gpt2: Path) -> None:
    found = tiny.predict(request(*STEPS))
    wanted = {
        order: likelihood(gpt2, ["make it quiet", *(STEPS[place] for place in order)])
        for order in permutations(range(4))
    }
    best = max(wanted, key=lambda order: wanted[order])
    assert order_of(found) == tuple(str(place + 1) for place in best)
    assert found.raw == f"log likelihood {wanted[best]:.3f}, the largest of 24"
    shares = {order: np.exp(value - wanted[best]) for order, value in wanted.items()}
    assert found.confidence == pytest.approx(1 / sum(shares.values()), rel=1e-3)
    first = sum(share for order, share in shares.items() if order.index(best[0]) < order.index(best[1]))
    assert found.answer.before[0][1] == pytest.approx(first / sum(shares.values()), rel=1e-3)
    assert tiny.info.name == NAME and (gpt2 / "model.safetensors") in tiny.weight_files


def test_the_order_does_not_hang_on_how_steps_are_shown(tiny: Any) -> None:
    shown = [STEPS[int(one) - 1] for one in order_of(tiny.predict(request(*STEPS)))]
    turned = STEPS[::-1]
    assert [turned[int(one) - 1] for one in order_of(tiny.predict(request(*turned)))] == shown


def test_few_and_many_steps_and_long_ones(tiny: Any) -> None:
    assert order_of(tiny.predict(request())) == ()
    assert order_of(tiny.predict(request("tap sound"))) == ("1",)
    assert sorted(order_of(tiny.predict(request("tap sound", "go back")))) == ["1", "2"]
    many = tiny.predict(request(*(f"tap {place}" for place in range(7))))
    assert sorted(order_of(many)) == [str(place) for place in range(1, 8)] and many.confidence is None
    long = tiny.predict(request(*("tap and hold the sound " * 20 for _ in range(2)), goal="quiet " * 40))
    assert long.why == "Steps were cut to 60 tokens."


def test_what_cannot_be_ordered_is_told(tiny: Any) -> None:
    nothing = tiny.predict(request("", " "))
    assert (nothing.status, nothing.why) == (PredictionStatus.MALFORMED, "No step has words.")
    crowd = tiny.predict(request(*("tap" for _ in range(PLACES))))
    assert crowd.status is PredictionStatus.FAILED
    assert crowd.why == "420 steps are more than the 420 tokens that the model takes can hold."


def test_each_language_model_is_in_the_list_by_its_own_name(gpt2: Path, tmp_path: Path) -> None:
    alone = registry.registry([]).models["lm-perplexity"].info
    assert alone.weights == "absent" and "stepscope weights add FOLDER" in alone.weights_from
    with pytest.raises(UsageError, match="No language model was added"):
        registry.load("lm-perplexity")
    added.add(gpt2, "tiny")
    seeing = tmp_path / "seeing"
    seeing.mkdir()
    (seeing / "config.json").write_text(json.dumps({"architectures": ["XForConditionalGeneration"]}))
    checkpoint.add(Checkpoint("seeing", str(seeing)))
    checkpoint.add(Checkpoint("adapted", str(seeing), lora=str(tmp_path)))
    models = registry.registry([]).models
    assert [name for name in models if name.startswith("lm-perplexity")] == [NAME, "lm-perplexity?weights=seeing"]
    info = registry.model_info(NAME)
    assert (info.task, info.weights, info.title) == (Task.ORDERING, "present", "Language model's likelihood · tiny")
    assert info.weights_from.startswith(f"{gpt2}, sha256 ")
    with pytest.raises(UsageError) as caught:
        registry.load("lm-perplexity")
    assert caught.value.hint == f"Write {NAME} or lm-perplexity?weights=seeing."


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("lm-perplexity?weights=tinny", "No language model 'tinny' was added"),
        ("lm-perplexity?model=tiny", "lm-perplexity has no option 'model'"),
        ("lm-perplexity?weights=", "none is named"),
    ],
)
def test_a_name_that_means_nothing_is_refused(gpt2: Path, name: str, why: str) -> None:
    added.add(gpt2, "tiny")
    with pytest.raises(UsageError, match=why):
        registry.model_info(name)


def test_a_model_that_fills_gaps_is_refused(tmp_path: Path) -> None:
    """A RoBERTa of the class for continuing texts, whose config leaves it looking at both sides."""
    torch.manual_seed(0)
    sizes = {**TEXT_SIZES, "pad_token_id": 1, "initializer_range": 0.4, "is_decoder": False}
    model = transformers.RobertaForCausalLM(transformers.RobertaConfig(**sizes)).eval()
    added.add(saved(tmp_path / "m", model, tokenizer()), "gaps")
    with pytest.raises(UserError, match="looks at what follows"):
        registry.load("lm-perplexity?weights=gaps", device="cpu")


def test_weights_that_changed_since_are_refused(gpt2: Path, tmp_path: Path) -> None:
    import shutil

    folder = shutil.copytree(gpt2, tmp_path / "copy")
    added.add(folder, "tiny")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "n_head": 4}))
    with pytest.raises(UserError, match="has changed since it was added"):
        registry.load(NAME, device="cpu")


def test_a_checkpoint_that_sees_is_asked_about_texts(tmp_path: Path) -> None:
    torch.manual_seed(0)
    folder = qwen25(tmp_path / "qwen")
    checkpoint.add(Checkpoint("sees", str(folder)))
    found: Any = registry.load("lm-perplexity?weights=sees", device="cpu")
    model = transformers.AutoModelForImageTextToText.from_pretrained(folder).eval()
    wanted = {}
    for one, other in permutations(("tap sound", "go back")):
        ids = torch.tensor(
            [transformers.AutoTokenizer.from_pretrained(folder)(f"quiet\n{one}\n{other}\n")["input_ids"]]
        )
        with torch.inference_mode():
            wanted[one] = -float(model(input_ids=ids, labels=ids).loss) * (ids.shape[1] - 1)
    said = found.predict(request("tap sound", "go back", goal="quiet"))
    assert order_of(said)[0] == ("1" if wanted["tap sound"] > wanted["go back"] else "2")
    assert float(said.raw.split()[2].rstrip(",")) == pytest.approx(max(wanted.values()), abs=1e-2)
