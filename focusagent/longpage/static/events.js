"use strict";
// Plays what the server says is due on this page: notices, what others do, and an answer that comes late. It follows
// what the user does, not the clock.
function element(html) {
  const holder = document.createElement("div");
  holder.innerHTML = html;
  return holder.firstElementChild;
}

function happen({ selector, html, say: text, inside }) {
  const target = document.querySelector(selector);
  if (!target) return;
  if (inside) target.innerHTML = html;
  else target.before(element(html));
  say(text);
}

function play(event) {
  if (event.kind === "happening") happen(event);
  else if (event.kind === "late") document.querySelector("main")?.append(element(event.html));
  else document.body.append(element(event.html));
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-dismiss]");
  if (!button) return;
  const notice = button.closest("[data-event]");
  send("/events", { kind: notice.dataset.event });
  notice.remove();
});

// Asked for synchronously: what comes with the page is there before the page counts as loaded.
const asked = new XMLHttpRequest();
asked.open("GET", `/events?path=${encodeURIComponent(location.pathname)}${window === top ? "" : "&framed"}`, false);
asked.send();
const due = JSON.parse(asked.responseText);
due.filter((event) => event.when === "load").forEach(play);
const first = new AbortController();
function touched() {
  first.abort();
  setTimeout(() => due.filter((event) => event.when === "touch").forEach(play));
}
["click", "input", "change", "scroll"].forEach((name) =>
  document.addEventListener(name, touched, { capture: true, signal: first.signal }));
