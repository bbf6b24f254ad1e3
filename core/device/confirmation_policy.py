"""What an agent never does without a person's word: actions on what pays, deletes, sends …, and in chosen apps.

It looks for whole words, in what lies under the finger as much as in what the agent says of it: an agent that calls the
button "Pay now" by another name is asked about all the same. Source: ours.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

from stepscope.core.domain.action import (
    Action,
    AskUser,
    Finish,
    Key,
    OpenApp,
    PressKey,
    Say,
    Scroll,
    Wait,
    action_end,
    action_point,
    action_target,
    action_text,
)
from stepscope.core.domain.elements import UIElement, UITree
from stepscope.core.frozen import dataclass

DEFAULT_WORDS = tuple(dict.fromkeys(word.strip() for word in
    """
    pay, pays, paid, payment, payments, buy, buys, purchase, purchases, order, orders, reorder, checkout, check out,
    subscribe, subscription, donate, donation, bid, delete, deletes, deletion, remove, removes, erase, discard, wipe,
    clear all, empty trash, send, sends, submit, post, publish, share, call, uninstall, uninstalls, reset, transfer,
    transfers, withdraw, sign out, log out, logout, deactivate, block, unsubscribe,
    zahlen, bezahlen, zahlung, kaufen, kauf, bestellen, bestellung, abonnieren, spenden, löschen, entfernen, verwerfen,
    senden, absenden, abschicken, verschicken, veröffentlichen, teilen, anrufen, deinstallieren, zurücksetzen,
    überweisen, überweisung, abmelden,
    payer, paiement, acheter, achat, commander, commande, supprimer, effacer, enlever, envoyer, publier, partager,
    appeler, désinstaller, réinitialiser, virement, transférer, se déconnecter,
    pagar, pago, comprar, compra, pedir, pedido, eliminar, borrar, quitar, enviar, publicar, compartir, llamar,
    desinstalar, restablecer, transferir, transferencia, cerrar sesión,
    paga, pagare, pagamento, acquista, compra, ordina, elimina, cancella, rimuovi, invia, pubblica, condividi, chiama,
    disinstalla, ripristina, trasferisci, bonifico,
    pagamento, encomendar, excluir, apagar, remover, redefinir,
    betalen, kopen, bestellen, verwijderen, verzenden, versturen, overmaken, verwijder, verstuur,
    zapłać, kup, zamów, usuń, wyślij, odinstaluj, przelew,
    öde, ödeme, satın al, sipariş, sil, gönder, kaldır, sıfırla,
    оплатить, оплата, купить, заказать, удалить, отправить, перевести, перевод, сбросить,
    支付, 付款, 购买, 購買, 下单, 订购, 删除, 刪除, 移除, 发送, 發送, 卸载, 重置, 转账, 轉帳,
    支払, 購入, 注文, 削除, 送信, アンインストール, リセット, 振込, 결제, 구매, 주문, 삭제, 보내기, 전송, 초기화, 송금,
    دفع, شراء, حذف, إرسال, تحويل, भुगतान, खरीदें, हटाएं, भेजें
    """.replace("\n", " ").split(",")
))  # fmt: skip
"""Words and phrases that always ask, of the languages that most phones speak."""

_WORD = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=\d)(?=[^\W\d_])|(?<=[^\W\d_])(?=\d)")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
"""Scripts that are written without spaces, or whose words take endings as letters: words are found inside others."""
_IMMUNE = (Wait, AskUser, Say, Finish)
"""Nothing is done on the device."""


@dataclass(frozen=True, slots=True)
class ConfirmationPolicy:
    """`words` are words or phrases as a person wrote them; `apps` are packages, and titles for when an app is
    opened by its name. An empty guard asks about nothing but touches on screens whose tree is not known."""

    words: tuple[str, ...] = DEFAULT_WORDS
    apps: tuple[str, ...] = ()

    def reasons(self, action: Action, tree: UITree | None, app: str = "") -> tuple[str, ...]:
        """Why the action needs a person's word, in words; () when it needs none.

        `tree` is that of the screen on which it will be done, None where there is none: then what lies under the finger
        is not known, and touching it asks. `app` is what is in front, as `package/activity` or a package.
        """
        if isinstance(action, _IMMUNE):
            return ()
        found = [f"“{app.partition('/')[0]}” is an app that always asks"] if self._is_forbidden(app) else []
        if isinstance(action, OpenApp) and self._is_forbidden(action.text):
            found.append(f"“{action.text}” is an app that always asks")
        if tree is None and _touches(action):
            found.append("The screen has no UI tree: what lies under the finger is not known")
        for word in self._words_in(_texts(action, tree)):
            found.append(f"“{word}” is a word that always asks")
        return tuple(dict.fromkeys(found))

    def _is_forbidden(self, app: str) -> bool:
        package = app.partition("/")[0].strip().casefold()
        return bool(package) and any(package == one.strip().casefold() for one in self.apps)

    def _words_in(self, texts: Iterable[str]) -> Iterator[str]:
        spoken = [(tuple(_tokens(text)), _folded(text)) for text in dict.fromkeys(texts) if text]
        for word in self.words:
            phrase = _tokens(word)
            if not phrase:
                continue
            inside = _UNSPACED.search(word)
            if any((inside and _folded(word).strip() in text) or _holds(said, phrase) for said, text in spoken):
                yield word.strip()


def _touches(action: Action) -> bool:
    """Whether what it does hangs on what lies at a place: a scroll moves it, whatever it is."""
    return not isinstance(action, Scroll) and (action_point(action) is not None or action_target(action) is not None)


def _texts(action: Action, tree: UITree | None) -> Iterator[str]:
    """All words that the action is about: its own, its target's, those under the finger."""
    if isinstance(action, Scroll):
        return
    yield action_text(action) or ""
    target = action_target(action)
    if target is not None:
        yield target.text
        yield target.id or ""
    if isinstance(action, PressKey):
        yield action.key
    if tree is None:
        return
    for element in _under(action, tree):
        yield element.text
        yield element.content_description
        yield element.short_id


def _under(action: Action, tree: UITree) -> Iterator[UIElement]:
    """Elements that the action may set off: those under the finger where it comes down and where it leaves, what the
    element that takes the touch consists of, and for Enter the field that has the focus."""
    if isinstance(action, PressKey) and action.key.casefold().removeprefix("keycode_") == Key.ENTER:
        yield from (element for element in tree if element.focused)
    target = action_target(action)
    box = target.box.centre if target is not None and target.box is not None else None
    limit = tree.size.width * tree.size.height / 2
    for point in (action_point(action), action_end(action), box):
        if point is None:
            continue
        yield from (element for element in tree.at(point) if element.box.area < limit)
        taking = tree.target_at(point)
        if taking is not None:
            yield taking
            if taking.clickable or taking.box.area < limit:  # else it is what lies behind everything
                yield from _inside(tree, taking.index)


def _inside(tree: UITree, index: int) -> Iterator[UIElement]:
    """All that lies in the element."""
    waiting = list(tree.children[index])
    while waiting:
        child = waiting.pop()
        yield tree.elements[child]
        waiting += tree.children[child]


def _holds(said: tuple[str, ...], phrase: tuple[str, ...]) -> bool:
    length = len(phrase)
    return any(said[start : start + length] == phrase for start in range(len(said) - length + 1))


@lru_cache(maxsize=4096)
def _tokens(text: str) -> tuple[str, ...]:
    """Words of a text, of `camelCase` and of `names_with_underscores`, without accents and capitals."""
    return tuple(_WORD.findall(_folded(_HUMP.sub(" ", _bare(text)))))


def _folded(text: str) -> str:
    """The text as it is compared: without capitals and accents, the Turkish i with and without its dot alike."""
    split = unicodedata.normalize("NFKD", _bare(text).casefold().replace("ı", "i"))
    return unicodedata.normalize("NFC", "".join(c for c in split if unicodedata.category(c) != "Mn")).casefold()


def _bare(text: str) -> str:
    """Letters as they look: no full-width forms, nothing that cannot be seen."""
    return "".join(c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != "Cf")
