"""Write docs/settings.md from the declarations in newsloom.settings. Run it after changing them."""

from __future__ import annotations

from pathlib import Path

from newsloom import settings

HEAD = """# Settings

Newsloom reads one file, `newsloom.toml`: the one named by `--config` or `NEWSLOOM_CONFIG`, else the
one in the working folder, else the one in your configuration folder (`~/.config/newsloom/` on
Linux). Every setting also has an environment variable, which wins over the file. What `newsloom
settings` shows is in force, in a form that both take. In a variable texts need no quotes, and lists
may be written with commas alone: `NEWSLOOM_FETCH_PRIVATE_HOSTS=nas.lan,bridge.lan:8080`.

```toml
[web]
port = 9000

[ranking]
half_life_days = [365, 183, 30, 10, 5]
```

A wrong key or value stops the command and names itself, its place, and the nearest valid one.

| setting | default | variable | meaning |
|---|---|---|---|
"""


def page() -> str:
    """The whole page."""
    return HEAD + "".join(
        f"| `{key.path}` | {shown(key)} | `{key.variable}` | {key.doc} |\n"
        for key in settings.declared()
    )


def shown(key: settings.Key) -> str:
    """The default as a reader would write it; paths differ by machine."""
    if isinstance(key.default, Path):
        return "in your data folder"
    return f"`{settings.written(key.default)}`"


if __name__ == "__main__":
    Path("docs/settings.md").write_text(page(), encoding="utf-8")
