"""Where trained models lie: those that come with the program, those of this user, and any folder that is named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from stepscope.core.errors import UserError
from stepscope.core.frozen import dataclass
from stepscope.core.settings import user_data_dir
from stepscope.models.learned.card import CARD, ONNX, WEIGHTS, ModelCard, read_card


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """A trained model's folder and its card. `shipped`: it came with the program."""

    folder: Path
    card: ModelCard
    shipped: bool = False

    @property
    def weights(self) -> Path:
        return self.folder / WEIGHTS

    @property
    def onnx(self) -> Path:
        """Where the exported file lies, if there is one."""
        return self.folder / ONNX


def shipped_folder() -> Path:
    """Where the models lie that come with the program."""
    from stepscope import resources

    return Path(resources.__file__).parent / "models"


def own_folder() -> Path:
    """Where this user's trained models are kept; may not exist yet."""
    return user_data_dir() / "models"


def trained_models() -> Iterator[TrainedModel | UserError]:
    """Shipped ones, then this user's; for a folder whose card cannot be read, why. Reads the cards only."""
    for parent, shipped in ((shipped_folder(), True), (own_folder(), False)):
        for card in sorted(parent.glob(f"*/{CARD}")):
            try:
                yield TrainedModel(card.parent, read_card(card.parent), shipped)
            except UserError as error:
                yield error


def find_trained(name: str) -> TrainedModel | None:
    """The model of that name, a user's own before a shipped one, or the one in that folder. Raises UserError for a card
    that cannot be read."""
    folder = Path(name).expanduser()
    if (folder / CARD).is_file() and ("/" in name or "\\" in name or folder.is_absolute()):
        return TrainedModel(folder.resolve(), read_card(folder))
    for parent, shipped in ((own_folder(), False), (shipped_folder(), True)):
        if name and (parent / name / CARD).is_file() and Path(name).name == name:
            return TrainedModel(parent / name, read_card(parent / name), shipped)
    return None
