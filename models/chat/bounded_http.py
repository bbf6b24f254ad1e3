"""The client below the library: every answer of a server is read here, up to its limits and without the key.

Not more is asked for than plain text; a server that packs its answer nevertheless is understood for gzip and deflate.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

from stepscope.core.errors import SourceError
from stepscope.core.limits import exceeded, limit, written_figure
from stepscope.models.chat.secret import without_key

if TYPE_CHECKING:
    from httpx2 import AsyncClient, Request, Response

_PLAIN = ("", "identity")
_PACKED = ("gzip", "x-gzip", "deflate")
_GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS
_KEPT = ("retry-after",)
"""Of the headers that a server sends, what is looked at."""


def bounded_client(name: str, key: str | None, **settings: Any) -> AsyncClient:
    """A client of the library `openai` (of whichever httpx it stands on) for the server of this name.

    Its `send`, through which every call goes, gives responses that were read to their end: text in UTF-8, without the
    key and without the server's headers. It raises SourceError beyond `answer-bytes`, `answer-text-bytes` and
    `answer-values`, and for a packing that was not asked for.
    """
    from openai import DefaultAsyncHttpxClient

    class Bounded(DefaultAsyncHttpxClient):
        async def send(self, request: Request, *, stream: bool = False, **how: Any) -> Response:
            response = await super().send(request, stream=True, **how)
            try:
                text = _text(name, response.headers.get("content-encoding", ""), await _read(name, response))
            finally:
                await response.aclose()
            headers = {one: response.headers[one] for one in _KEPT if one in response.headers}
            headers["content-type"] = "application/json"
            body = without_key(text, key).encode()
            return type(response)(response.status_code, headers=headers, content=body, request=request)

    return Bounded(**settings)


async def _read(name: str, response: Response) -> bytearray:
    """The body as it is sent, a body that was announced as too long not at all."""
    most = limit("answer-bytes")
    announced = response.headers.get("content-length", "")
    body = bytearray()
    if not (announced.isdecimal() and len(announced) < 20 and int(announced) > most):
        async for piece in response.aiter_raw():
            body += piece
            if len(body) > most:
                break
        else:
            return body
    raise exceeded("answer-bytes", f"{name} sends more than {written_figure('bytes', most)} in one answer.")


def _text(name: str, packing: str, body: bytearray) -> str:
    packing = packing.strip().lower()
    if packing in _PACKED:
        body = _unpacked(name, body)
    elif packing not in _PLAIN:
        told = "".join(letter for letter in packing[:40] if letter.isprintable())
        raise SourceError(
            f"{name} packs its answers as “{told}”, which nobody asked for.", hint="Let it send them as they are."
        )
    most = limit("answer-values")
    # Every value of a JSON text but one stands behind one of these; inside of texts they count too.
    if sum(body.count(sign) for sign in b",[{:") > most:
        raise exceeded("answer-values", f"{name} sends an answer of more than {most:,} values.")
    return body.decode("utf-8", "replace")


def _unpacked(name: str, body: bytearray) -> bytearray:
    most = limit("answer-text-bytes")
    packed = zlib.decompressobj(_GZIP_OR_ZLIB)
    try:
        text = packed.decompress(body, most + 1)
    except zlib.error as error:
        raise SourceError(f"{name} packs its answers, and wrongly: {error}.") from error
    if len(text) > most:
        raise exceeded(
            "answer-text-bytes", f"{name} sends an answer of more than {written_figure('bytes', most)}, packed."
        )
    if not packed.eof:
        raise SourceError(f"{name} packs its answers, and this one ends too early.")
    return bytearray(text)
