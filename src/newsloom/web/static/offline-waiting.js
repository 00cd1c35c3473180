// On the page to sign in: says that marks wait in this browser, so that nobody loses them unknowing.
"use strict";

(() => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => {
    const place = document.getElementById("waiting");
    place.hidden = !data.marks;
    const count = data.marks === 1 ? "1 unsent change" : `${data.marks} unsent changes`;
    place.textContent = `${count} in this browser. Sent when the same person signs in, discarded if someone else does.`;
  };
  navigator.serviceWorker?.controller?.postMessage({ about: "waiting" }, [port2]);
})();
