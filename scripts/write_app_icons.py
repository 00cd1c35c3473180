"""Write the pictures of the installed app (web/static/app) from icon.svg, with Chromium.

    python scripts/write_app_icons.py [the place of chromium]

The maskable one fills its square, and all that matters lies in the middle 80 per cent (W3C Web App
Manifest, "icon masks").
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

STATIC = Path(__file__).resolve().parent.parent / "src/newsloom/web/static"
GROUND = "#1f6f6b"
# Name, side in pixels, whether it is maskable.
PICTURES = (
    ("icon-192.png", 192, False),
    ("icon-512.png", 512, False),
    ("maskable-192.png", 192, True),
    ("maskable-512.png", 512, True),
)


def page_of(drawing: str, side: int, maskable: bool) -> str:
    inner = side * 0.8 if maskable else side
    margin = (side - inner) / 2
    ground = GROUND if maskable else "transparent"
    return (
        f"<style>body{{margin:0;background:{ground}}}svg{{display:block;width:{inner}px;"
        f"height:{inner}px;margin:{margin}px}}</style>{drawing}"
    )


def main() -> None:
    drawing = (STATIC / "icon.svg").read_text(encoding="utf-8")
    place = sys.argv[1] if len(sys.argv) > 1 else "/usr/bin/chromium"
    (STATIC / "app").mkdir(exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=place, args=["--no-sandbox"])
        for name, side, maskable in PICTURES:
            page = browser.new_page(viewport={"width": side, "height": side})
            page.set_content(page_of(drawing, side, maskable))
            target = STATIC / "app" / name
            page.screenshot(path=target, omit_background=True)
            # Few colours: a third of the bytes.
            Image.open(target).quantize(64).save(target, optimize=True)
            sys.stdout.write(f"{target.name}: {target.stat().st_size} bytes\n")
        browser.close()


if __name__ == "__main__":
    main()
