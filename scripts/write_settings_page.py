"""Write docs/run/settings.md from the declarations in newsloom.kernel.settings; run it after a
change.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from newsloom.kernel import settings

PAGE = Path("docs/run/settings.md")
HEAD = """# Settings

Newsloom reads one file, `newsloom.toml`: the one you name with `--config` or `NEWSLOOM_CONFIG`,
else the one in the working folder, else the one in your configuration folder (`~/.config/newsloom/`
on Linux). `newsloom settings` prints the values in use.

```toml
[web]
port = 9000

[ranking]
half_life_days = [365, 183, 30, 10, 5]
```

Each setting also has an environment variable, which overrides the file: `NEWSLOOM_` and the name in
capitals with `_` for `.`, such as `NEWSLOOM_WEB_PORT`. In a variable, text needs no quotes and
lists may use commas: `NEWSLOOM_FETCH_PRIVATE_HOSTS=nas.lan,bridge.lan:8080`.

A wrong key or value stops the command with its place and the nearest valid name.
"""
TABLE = "\n| setting | default | meaning |\n|---|---|---|\n"


def page() -> str:
    """The whole page: a table for each group."""
    text = HEAD
    for group, keys in groupby(settings.declared(), lambda key: key.path.rpartition(".")[0]):
        text += f"\n## {group or 'General'}\n" + TABLE
        text += "".join(f"| `{key.path}` | {shown(key)} | {key.doc} |\n" for key in keys)
    return text


def shown(key: settings.Key) -> str:
    """The default as a reader would write it; paths differ by machine."""
    if isinstance(key.default, Path):
        return "in your data folder"
    return f"`{settings.written(key.default)}`"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
