// The tour: whoever goes through it by keys stays where they are as its steps change.
"use strict";

(() => {
  let inTour = "";
  document.addEventListener("htmx:before:request", () => {
    inTour = document.activeElement?.closest("#tour") ? document.activeElement.id : "";
  });
  document.addEventListener("htmx:after:swap", () => {
    if (!inTour || document.activeElement?.closest("#tour, #main :is(a, button, input)")) return;
    (document.getElementById(inTour) || document.getElementById("tour-next") || document.getElementById("main")).focus();
    inTour = "";
  });
})();
