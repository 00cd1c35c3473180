// On the page to sign in: says that marks wait in this browser, so that nobody loses them unknowing.
"use strict";

(() => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => {
    const place = document.getElementById("waiting");
    place.hidden = !data.marks;
    const [count, are] = data.marks === 1 ? ["1 mark", "is"] : [`${data.marks} marks`, "are"];
    place.textContent = `${count} made in this browser ${are} not sent yet, and will be when who made them signs in. If somebody else does, they are dropped.`;
  };
  navigator.serviceWorker?.controller?.postMessage({ about: "waiting" }, [port2]);
})();
