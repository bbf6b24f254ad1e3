"""TorchScript files: programs that only compute run and give torch's own numbers; all others are refused unread."""

from __future__ import annotations

import importlib
import threading
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from stepscope.core import limits
from stepscope.core.errors import UserError
from stepscope.core.lazy import lazy_module
from stepscope.models.own import torchscript_program
from stepscope.models.own.facts import look
from stepscope.models.own.predictor import load
from tests.models.own.forms import episode, observation

if TYPE_CHECKING:
    import torch
else:
    torch = lazy_module("torch")

pytestmark = pytest.mark.needs("torch")


@pytest.fixture(autouse=True)
def whole_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library itself: its compiler looks names of a module up where that was written."""
    monkeypatch.setitem(globals(), "torch", importlib.import_module("torch"))


@pytest.fixture
def script(tmp_path: Path) -> Callable[[Any], Path]:
    """The module as a TorchScript file `net.pt`, traced where an example is given."""

    def made(module: Any, *example: Any) -> Path:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            program = torch.jit.trace(module.eval(), example) if example else torch.jit.script(module.eval())
            program.save(str(tmp_path / "net.pt"))
        return tmp_path / "net.pt"

    return made


def network() -> Any:
    torch.manual_seed(0)
    return torch.nn.Sequential(
        torch.nn.Conv2d(3, 4, 3), torch.nn.BatchNorm2d(4), torch.nn.ReLU(), torch.nn.AdaptiveAvgPool2d(1),
        torch.nn.Flatten(), torch.nn.Linear(4, 1), torch.nn.Sigmoid(),
    )  # fmt: skip


@pytest.mark.parametrize("traced", [True, False])
def test_a_network_of_layers_gives_torchs_own_numbers(script, own_model, picture, traced: bool):
    module = network()
    file = script(module, torch.zeros(1, 3, 8, 8)) if traced else script(module)
    facts = look(file)
    assert [one.name for one in facts.inputs] == ["input"]
    outputs = [{"name": "output 1", "means": "infeasible", "reading": "probability"}]
    image = {"name": "input", "holds": "screen", "width": 8, "height": 8, "scale": 1 / 255}
    model = own_model(file="net.pt", runtime="torchscript", inputs=[image], outputs=outputs, sha256=facts.sha256)
    predictor = load(model, device="cpu")
    found = predictor.predict(episode(observation(picture((255, 128, 0)))))
    predictor.close()
    colours = torch.tensor([1.0, 128 / 255, 0.0]).reshape(1, 3, 1, 1).expand(1, 3, 8, 8)
    assert found.answer.score == pytest.approx(module.eval()(colours).item(), abs=1e-5)


def test_layers_with_loops_branches_and_texts_pass(script):
    class Mixed(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.encoder = torch.nn.TransformerEncoder(
                torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2, enable_nested_tensor=False
            )
            self.memory = torch.nn.LSTM(8, 8, batch_first=True)

        def forward(self, x):
            if x.dim() != 3:
                raise ValueError(f"{x.dim()} dimensions")
            found = self.memory(self.encoder(x))[0]
            for _ in range(2):
                found = found + 1
            return found.mean(1)

    torchscript_program.check(script(Mixed()))


def test_outputs_of_a_tuple_are_counted(script):
    class Two(torch.nn.Module):
        def forward(self, x):
            return x.mean(1), x.sum(1)

    assert [one.name for one in look(script(Two())).outputs] == ["output 1", "output 2"]


def test_what_does_not_give_tensors_is_refused(script):
    class Text(torch.nn.Module):
        def forward(self, x):
            return [x]

    with pytest.raises(UserError, match="does not take tensors and give tensors"):
        look(script(Text()))


def test_a_program_that_writes_a_file_is_refused_and_nothing_is_written(script, tmp_path: Path):
    class Writes(torch.nn.Module):
        def __init__(self, place: str) -> None:
            super().__init__()
            self.place = place

        def forward(self, x):
            torch.save(x, self.place)
            return x

    file = script(Writes(str(tmp_path / "written")))
    with pytest.raises(UserError, match=r"uses torch\.save, which is not on the list of what computes.*to ONNX"):
        look(file)
    assert not (tmp_path / "written").exists()


def test_a_program_that_reads_a_file_is_refused(script):
    class Reads(torch.nn.Module):
        def forward(self, x):
            return x + torch.from_file("/etc/hostname", False, 4, dtype=torch.uint8)

    with pytest.raises(UserError, match=r"uses torch\.from_file"):
        look(script(Reads()))


def test_a_program_that_draws_by_chance_is_refused(script):
    class Draws(torch.nn.Module):
        def forward(self, x):
            return x + torch.rand(1)

    with pytest.raises(UserError, match=r"uses torch\.rand"):
        look(script(Draws()))


def rewritten(file: Path, code: str | None = None, **members: bytes) -> Path:
    """The archive with other code in its first module, and further members."""
    changed = file.with_name("changed.pt")
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(changed, "w") as new:
        for one in old.infolist():
            data = old.read(one)
            if code is not None and one.filename.endswith(".py"):
                data, code = code.encode(), ""
            new.writestr(one.filename, data)
        for name, data in members.items():
            new.writestr(f"net/{name}", data)
    return changed


PLAIN = """
class Plus(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  def forward(self: __torch__.Plus, x: Tensor) -> Tensor:
    {body}
"""


@pytest.fixture
def plus(script) -> Path:
    class Plus(torch.nn.Module):
        def forward(self, x):
            return x + 1

    return script(Plus())


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('x.save("f")', "uses x.save"),
        ('(torch.add(x, 1)).save("f")', "uses .save"),
        ("s = torch.save\n    return x", "uses torch.save"),
        ("t = torch\n    return x", "uses torch, which"),
        ('return getattr(torch, "save")(x, "f")', "takes a part of something by a name"),
        ("f = fork\n    return f(x)", "uses fork, which"),
        ("f = print\n    f(x)\n    return x", "uses print, which"),
        ('return getattr(x, "save")("f")', "takes a part of something by a name"),
        ("n = x\n    return getattr(x, n)", "takes a part of something by a name"),
        ('CONSTANTS.c0.save("f")\n    return x', "uses CONSTANTS.c0.save"),
        ('__torch__.Plus.save("f")\n    return x', "uses __torch__.Plus.save"),
        ('print("x")\n    return x', "uses print, which"),
        ('return ops.aten.save(x, "f")', "uses ops.aten.save"),
        ("return ops.prim.fork(x)", "uses ops.prim.fork"),
        ("c = __torch__.torch.classes.x.Y\n    return x", "uses __torch__.torch.classes.x.Y"),
        ("import os\n    return x", "has a Import"),
        ("return [y for y in x]", "has a ListComp"),
        ("torch = x\n    return x", "gives the name 'torch' another meaning"),
        ("return x\n  def save(self, y: str) -> str:\n    return y", "calls something of its own 'save'"),
        ("return x\n  def __setstate__(self, y: int) -> NoneType:\n    return None", "has __setstate__, which runs"),
        ("return (" * 300 + "x" + ")" * 300, "cannot be read"),
        ("return x)", "cannot be read"),
    ],
)
def test_hostile_programs(plus: Path, body: str, words: str):
    file = rewritten(plus, PLAIN.format(body=body))
    with pytest.raises(UserError, match=r"changed\.pt: ") as raised:
        torchscript_program.check(file)
    assert words in str(raised.value)


def test_code_outside_its_folder_is_looked_at_too(plus: Path):
    with pytest.raises(UserError, match=r"uses torch\.save"):
        torchscript_program.check(rewritten(plus, **{"data/x.py": b'y = torch.save(1, "f")'}))


def test_archives_that_readers_read_differently_are_refused(plus: Path):
    twice = rewritten(plus, **{"DATA.PKL": b""})
    with pytest.raises(UserError, match="two parts of it have one name"):
        torchscript_program.check(twice)
    behind = plus.with_name("behind.pt")
    behind.write_bytes(plus.read_bytes() + b"PK")
    with pytest.raises(UserError, match="something stands behind its end"):
        torchscript_program.check(behind)


@pytest.mark.parametrize("share", [0.3, 0.9, 0.999])
def test_half_a_download(plus: Path, share: float):
    data = plus.read_bytes()
    plus.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(UserError, match=r"half a download|cut off"):
        look(plus)


def test_a_batch_that_takes_too_long_is_left_to_itself(script, own_model, picture):
    class Long(torch.nn.Module):
        def forward(self, x):
            y = x
            for _ in range(600_000):
                y = torch.add(y, 1)
            return y.mean((1, 2, 3))

    script(Long())
    outputs = [{"name": "output 1", "means": "infeasible", "reading": "logit"}]
    image = {"name": "x", "holds": "screen", "width": 8, "height": 8, "scale": 1}
    model = own_model(file="net.pt", runtime="torchscript", inputs=[image], outputs=outputs)
    predictor = load(model, device="cpu")
    request = predictor.prepare(episode(observation(picture())))
    limits.choose({"model-seconds": 1})
    try:
        with pytest.raises(UserError, match="more than 1 s over one batch"):
            predictor.predict_batch([request])
        with pytest.raises(UserError, match="still works on a batch"):
            predictor.predict_batch([request])
    finally:
        limits.choose({})
        for thread in threading.enumerate():  # it does end, and nothing is left behind
            if thread.name == "model":
                thread.join()


def test_outputs_that_do_not_count_the_rows(script, own_model, picture):
    class Whole(torch.nn.Module):
        def forward(self, x):
            return x.mean()

    script(Whole())
    outputs = [{"name": "output 1", "means": "infeasible", "reading": "logit"}]
    image = {"name": "x", "holds": "screen", "width": 8, "height": 8, "scale": 1}
    predictor = load(own_model(file="net.pt", runtime="torchscript", inputs=[image], outputs=outputs), device="cpu")
    with pytest.raises(UserError, match=r"its output output 1 has the shape \[\] for 1 rows"):
        predictor.predict(episode(observation(picture())))
