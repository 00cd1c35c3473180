// The keys of an open article. Its text stands in a frame that runs no script, so keys pressed
// while the frame has the focus are heard by nobody. A click into the text gives the frame the
// focus; here the page takes it back. What was begun in the frame goes on: a selection is drawn to
// its end, a link is followed.
"use strict";

(() => {
  // Beside a list it comes and goes.
  const frame = () => document.getElementById("text");
  // A finger has no keys, and its selection ends with the focus.
  if (!window.matchMedia("(pointer: fine)").matches) return;

  // Copying is done by whichever document has the focus, so the frame gets it for a moment when a
  // key that begins a command goes down. Chords that are pressed slowly, and the copying of a menu,
  // come too late for that: then the next try works.
  const CHORD = 1000, NEXT_TRY = 8000; // milliseconds
  let clicked = false; // the text was the last thing clicked
  let tabbed = false; // the focus goes where Tab leads it
  let lent = 0;

  const main = document.getElementById("main");
  const has = () => document.activeElement?.id === "text";
  const idle = () => [main, document.body].includes(document.activeElement);
  const takeBack = () => main.focus({ preventScroll: true });

  function lend(time) {
    clearTimeout(lent);
    lent = setTimeout(() => {
      lent = 0;
      if (has()) takeBack();
    }, time);
    frame()?.focus({ preventScroll: true });
  }

  // Only now is it known where the focus went.
  window.addEventListener("blur", () => setTimeout(() => {
    if (!has() || tabbed) return;
    clicked = true;
    if (!lent) takeBack();
  }));

  document.addEventListener("pointerdown", () => { clicked = false; }, true);
  document.addEventListener("keydown", (event) => {
    tabbed = event.key === "Tab";
    if (clicked && idle() && (event.key === "Control" || event.key === "Meta")) lend(CHORD);
  }, true);
  document.addEventListener("copy", () => {
    if (!clicked || !idle() || !window.getSelection().isCollapsed) return;
    lend(NEXT_TRY);
    document.dispatchEvent(new CustomEvent("newsloom:say", { detail: "Press copy again." }));
  });
})();
