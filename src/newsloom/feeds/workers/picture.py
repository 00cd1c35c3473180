"""The task "picture": a picture made smaller. Only workers import this: it loads Pillow.

Asked with the longest side there may be, in pixels, and the format. Answers with WebP, or with
nothing where the picture had better stay as it is: it moves, or WebP of that size is no smaller. Of
one that moves and is too large as a whole, the first frame is made. JPEG is always made, on white.
"""

from __future__ import annotations

import io
from typing import Any

from PIL import (
    AvifImagePlugin,
    ExifTags,
    GifImagePlugin,
    Image,
    ImageFile,
    ImageOps,
    JpegImagePlugin,
    PngImagePlugin,
    WebPImagePlugin,
)

from newsloom.kernel.errors import ParseError

TASK = "picture"

# Pixels: three bytes of each are held, twice while it is turned or shrunk. What says more of itself
# is not opened.
MOST_PIXELS = 50_000_000
# Of all frames together: 640 by 480 for a minute at 24 frames a second.
MOST_MOVING_PIXELS = 450_000_000
# Of WebP, as Pillow has it unless told; and of JPEG, for mail.
QUALITY = 80
JPEG = "JPEG"

# Nothing else is tried on the bytes: Pillow reads forty formats, some of them seldom looked at.
FORMATS = ("JPEG", "PNG", "GIF", "WEBP", "AVIF")
_PLUGINS = (AvifImagePlugin, GifImagePlugin, JpegImagePlugin, PngImagePlugin, WebPImagePlugin)

Image.MAX_IMAGE_PIXELS = MOST_PIXELS
# A picture that ends too early is shown as far as it goes, as browsers do.
ImageFile.LOAD_TRUNCATED_IMAGES = True


def get_ready() -> None:
    """Everything that is imported on first use: a worker opens no file later."""
    turned = Image.Exif()
    turned[ExifTags.Base.Orientation] = 6
    for form in FORMATS:
        made = io.BytesIO()
        Image.new("RGB", (2, 2)).save(made, form, exif=turned)
        _shrunk(made.getvalue(), 1, "WEBP")
        _shrunk(made.getvalue(), 1, JPEG)


def answer(asked: Any, body: bytes) -> bytes:
    """Raises ParseError for what is no picture, or one too large to be opened."""
    longest, form = asked
    try:
        made = _shrunk(body, int(longest), form)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise ParseError(f"it cannot be resized: {error}") from error
    return made if form == JPEG or len(made) < len(body) else b""


def _shrunk(body: bytes, longest: int, form: str) -> bytes:
    with Image.open(io.BytesIO(body), formats=FORMATS) as opened:
        if opened.width * opened.height > MOST_PIXELS:
            raise ValueError(f"{opened.width} by {opened.height} pixels")
        frames = getattr(opened, "n_frames", 1)
        moves = frames > 1 and frames * opened.width * opened.height <= MOST_MOVING_PIXELS
        if moves and form != JPEG:
            return b""
        opened.seek(0)
        opened.draft("RGB", (longest, longest))  # JPEG: decoded at a half, a quarter, an eighth
        # The camera's orientation is in what is left out.
        picture = ImageOps.exif_transpose(opened)
        picture.thumbnail((longest, longest), Image.Resampling.LANCZOS)
        plain = picture.convert("RGBA" if picture.has_transparency_data else "RGB")
    made = io.BytesIO()
    if form == JPEG:
        ground = Image.new("RGBA", plain.size, "white")
        Image.alpha_composite(ground, plain.convert("RGBA")).convert("RGB").save(made, JPEG)
    else:
        plain.save(made, form, quality=QUALITY, method=4)
    return made.getvalue()
