// Runs in every document before the page's own scripts, and puts a Content-Security-Policy into it, which frames, blobs
// and workers inherit and which can only add to the page's own. A parser runs observers before each script, so the
// policy holds from the first one on.
(() => {
  const bind = () => {
    const root = document.documentElement;
    const first = root?.firstElementChild;
    if (!first) return false;
    const space = "http://www.w3.org/1999/xhtml";
    let head = document.head;
    if (!head) root.insertBefore((head = document.createElementNS(space, "head")), first);
    const meta = document.createElementNS(space, "meta");
    meta.setAttribute("http-equiv", "Content-Security-Policy");
    meta.setAttribute("content", "__CSP__");
    head.prepend(meta);
    meta.remove();
    return true;
  };
  if (!bind()) {
    const waiting = new MutationObserver(() => bind() && waiting.disconnect());
    waiting.observe(document, { childList: true, subtree: true });
  }
})();
