"""Plain values as text that carries its own checksum: any flipped bit, cut or hole in it is found."""

import hashlib
import json
from typing import Any

_OPEN, _MIDDLE, _CLOSE = '{"sha256":"', '","body":', "}\n"
_DIGITS = 64


class Broken(ValueError):
    """A text that isn't as it was sealed."""


def sealed(body: Any) -> str:
    """Return plain values as one line of JSON, with the checksum of their own text.

    Examples
    --------
    >>> unsealed(sealed({"n": 1}))
    {'n': 1}
    """
    text = json.dumps(body, separators=(",", ":"), sort_keys=True)
    return f"{_OPEN}{digest(text)}{_MIDDLE}{text}{_CLOSE}"


def unsealed(text: str) -> Any:
    """Return the values in a sealed text.

    Raises
    ------
    Broken
        If it isn't exactly as it was sealed.
    """
    head = len(_OPEN) + _DIGITS + len(_MIDDLE)
    body = text[head : -len(_CLOSE)]
    if text != f"{_OPEN}{digest(body)}{_MIDDLE}{body}{_CLOSE}":
        raise Broken("its checksum doesn't fit")
    return json.loads(body)


def digest(text: str) -> str:
    """Return the SHA-256 of a text in hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
