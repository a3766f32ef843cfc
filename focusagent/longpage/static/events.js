"use strict";
// Plays what the server says is due on this page: notices, what others do, and an answer that comes late.
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

fetch(`/events?path=${encodeURIComponent(location.pathname)}${window === top ? "" : "&framed"}`)
  .then((answer) => answer.json())
  .then((due) => due.forEach((event) => setTimeout(play, event.delay, event)));
