"""The picture of a brief: drawn here, of our own, the bars of a voice on one colour."""

from __future__ import annotations

import io
import math
from functools import lru_cache

_PAPER, _INK = (24, 38, 58), (236, 232, 222)
_BARS = 23


@lru_cache(maxsize=4)
def cover(size: int = 512) -> bytes:
    """JPEG, square."""
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", (size, size), _PAPER)
    draw = ImageDraw.Draw(picture)
    step = size * 0.76 / _BARS
    for bar in range(_BARS):
        place = (bar + 0.5) / _BARS
        swell = math.sin(math.pi * place) ** 1.5
        height = size * (0.04 + 0.42 * swell * abs(math.sin(2.6 * bar + 0.8)))
        left = size * 0.12 + bar * step
        box = (left, (size - height) / 2, left + 0.55 * step, (size + height) / 2)
        draw.rounded_rectangle(box, radius=step * 0.27, fill=_INK)
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=85, optimize=True)
    return out.getvalue()
