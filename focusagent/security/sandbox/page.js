// Runs in every document before the page's own scripts: the few ways out that make no request we could judge.
// - Connections outside of HTTP (WebRTC, WebTransport) are taken away; service workers cannot be registered.
// - Speculation rules, by which the browser itself opens pages unseen, are removed before they are read.
// - Text that is typed is told to the sandbox.
(() => {
  const tell = globalThis.__TELL__;
  if (typeof tell === "function")
    Object.defineProperty(globalThis, "__TELL__", { value: tell, writable: false, configurable: false });
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport"]) delete globalThis[name];
  const workers = globalThis.ServiceWorkerContainer?.prototype;
  if (workers) {
    const refuse = () => Promise.reject(new DOMException("refused", "SecurityError"));
    Object.defineProperty(workers, "register", { value: refuse });
  }

  const { querySelectorAll, matches, remove, attachShadow } = Element.prototype;
  const { observe } = MutationObserver.prototype;
  const Watcher = MutationObserver;
  const rules = "script[type=speculationrules i]";
  const clean = (node) => {
    if (node.nodeType !== 1) return;
    if (matches.call(node, rules)) remove.call(node);
    else for (const one of querySelectorAll.call(node, rules)) remove.call(one);
  };
  const watch = (root) => {
    const watcher = new Watcher((records) => {
      for (const record of records) {
        if (record.type === "attributes") clean(record.target);
        else for (const node of record.addedNodes) clean(node);
      }
    });
    observe.call(watcher, root, { childList: true, subtree: true, attributes: true, attributeFilter: ["type"] });
  };
  watch(document);
  Element.prototype.attachShadow = function (options) {
    const root = attachShadow.call(this, options);
    watch(root);
    return root;
  };

  if (typeof tell !== "function") return;
  const typed = (event) => {
    const field = event.composedPath()[0];
    if (event.isTrusted) tell("typed", String(field.value ?? field.innerText ?? ""));
  };
  addEventListener("input", typed, { capture: true });
  const refused = (event) => {
    if (event.isTrusted && /^wss?:/.test(event.blockedURI)) tell("socket", event.blockedURI);
  };
  addEventListener("securitypolicyviolation", refused, { capture: true });
})();
