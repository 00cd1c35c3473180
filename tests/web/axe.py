"""axe-core's rules on a page that is open in Chromium.

The engine is the one file that the package axe-playwright-python carries; what it is asked is said
here, because that package can switch single rules neither on nor off.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

# Words at 7 to 1 are WCAG's AAA: offered to who asks for more contrast, and checked there.
MORE_CONTRAST = "color-contrast-enhanced"

# Every rule there is, experimental and best practice too; what is in a frame is a page by itself.
# Of siblings built alike (the same elements, attributes, classes and roles; texts may differ) the
# first two are checked: a list has thirty rows, and the description of the API a hundred parts.
_RUN = """async ([only, but, within]) => {
  const named = ["class", "role", "type", "style", "lang", "dir", "aria-expanded", "aria-hidden"];
  const built = new Map();
  const shape = node => {
    const attributes = [...node.attributes].map(one => one.name
      + (named.includes(one.name) ? "=" + one.value : one.value.trim() ? "" : "=")).sort();
    const inner = [...node.childNodes].map(one => one.nodeType === 1 ? shape(one)
      : one.nodeType === 3 && one.data.trim() ? "text" : "").join("");
    const found = `<${node.tagName} ${attributes.join(" ")}>${inner}</>`;
    built.set(node, found);
    return found;
  };
  const again = [];
  const repeated = node => {
    const times = new Map();
    for (const one of node.children) {
      const known = (times.get(built.get(one)) ?? 0) + 1;
      times.set(built.get(one), known);
      if (known > 2) again.push(one);
      else repeated(one);
    }
  };
  for (const one of document.querySelectorAll(within)) { shape(one); repeated(one); }
  const wanted = rule => only.length ? only.includes(rule.ruleId) : !but.includes(rule.ruleId);
  const rules = {};
  for (const rule of axe.getRules()) rules[rule.ruleId] = { enabled: wanted(rule) };
  const found = await axe.run(
    { include: [within], exclude: again }, { rules, resultTypes: ["violations"], iframes: false });
  return found.violations.flatMap(one => one.nodes.map(node =>
    `${one.id}: ${node.target.join(" ")}: ${node.failureSummary.split("\\n")[1]?.trim()}`));
}"""


@cache
def _engine() -> str:
    import axe_playwright_python

    folder = Path(axe_playwright_python.__file__).parent
    return (folder / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Any, *only: str, within: str = "html") -> list[str]:
    """What breaks which rule, one line each; of all rules but MORE_CONTRAST, or of those named."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_engine())
    found: list[str] = page.evaluate(_RUN, [list(only), [MORE_CONTRAST], within])
    return found


def unfold(page: Any) -> bool:
    """Everything that folds; of the many that load why a row stands where it stands, one. Not the
    menus: they lie over the page, and are checked by themselves. Whether anything was folded."""
    from playwright.sync_api import TimeoutError as TooLate

    shown = page.locator("details.why figure.curve").first
    found = False
    for _try in range(TRIES):
        found = page.evaluate(UNFOLD) or found  # again, when the rows have been swapped since
        if not page.locator("details.why").count():
            return found
        with suppress(TooLate):
            shown.wait_for(state="attached", timeout=3_000)
            return found
    raise AssertionError("why a row stands where it stands was not loaded")


TRIES = 10

UNFOLD = """() => {
  const rest = document.querySelectorAll("details:not(.menu, .why)");
  const folded = [document.querySelector("details.why"), ...rest].filter(one => one && !one.open);
  for (const one of folded) one.open = true;
  return folded.length > 0;
}"""
