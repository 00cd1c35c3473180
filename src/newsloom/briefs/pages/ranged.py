"""Sound files, whole or by byte ranges: 206, 416, If-Range, HEAD and ETag (RFC 9110, 14).

Starlette's FileResponse has all of these, and reads a file without holding up other requests.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from fastapi.responses import FileResponse, Response

from newsloom.briefs.values import SoundFile
from newsloom.kernel.errors import NotFound

GONE = "This audio does not exist or was deleted."


def ranged(
    folder: Path, file: SoundFile, headers: Mapping[str, str] | None = None, *, save_as: str = ""
) -> Response:
    """A file of the folder of sound. `save_as`: kept under that name instead of played.

    Raises NotFound where it is not there, or is no plain file of that folder.
    """
    path = folder / file.name
    try:
        found = os.lstat(path)
    except (OSError, ValueError) as error:
        raise NotFound(GONE) from error
    if path.parent != folder or not stat.S_ISREG(found.st_mode):
        raise NotFound(GONE)
    return FileResponse(
        path,
        headers=headers,
        media_type=file.media_type,
        stat_result=found,
        filename=save_as or None,
    )
