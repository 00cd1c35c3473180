// What may turn text into HTML. Runs before htmx, which starts by itself: on a slow line it would
// swap a fragment in before any file that comes after it is there.
"use strict";

(() => {
  // htmx parses the fragments our own server sends; nothing else on the page may turn text into
  // HTML. A fragment with a script in it is refused, and so is any code out of an attribute.
  const refuse = () => { throw new Error("no code comes out of a page"); };
  const policy = window.trustedTypes
    ? window.trustedTypes.createPolicy("newsloom", { createHTML: (text) => text, createScript: refuse })
    : { createHTML: (text) => text, createScript: refuse };
  document.getElementById("htmx").addEventListener("load", () => {
    window.htmx.registerExtension("newsloom", {
      init: (api) => api.initSecurity(policy, refuse, refuse),
    });
  });
})();
