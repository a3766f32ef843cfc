"use strict";
// A submit button that starts disabled is enabled once every field it depends on holds something.
function watch(form) {
  const submit = form.querySelector("button:not([type])");
  if (!submit || !submit.disabled) return;
  const update = () => {
    const fields = [...form.querySelectorAll("textarea, input:not([type=hidden]), select")];
    const required = fields.filter((field) => field.required);
    const watched = required.length ? required : fields;
    submit.disabled = !watched.every((field) =>
      field.type === "radio" ? form.querySelector(`[name="${field.name}"]:checked`) : field.value.trim());
  };
  form.addEventListener("input", update);
  form.addEventListener("change", update);
  update();
}

function say(text) {
  const toast = document.querySelector(".toast");
  if (!toast) return;
  toast.textContent = text;
  setTimeout(() => { toast.textContent = ""; }, 4000);
}

async function send(address, fields) {
  const answer = await fetch(address, { method: "POST", body: new URLSearchParams(fields) });
  if (!answer.ok) say("That did not work. Please try again.");
  return answer.ok ? answer.json() : null;
}

async function mark(button) {
  const { mark: kind, id, value = "" } = button.dataset;
  const answer = await send("/api/mark", { kind, id, value });
  if (!answer) return;
  if ("off" in button.dataset) button.textContent = answer.on ? button.dataset.on : button.dataset.off;
  else document.dispatchEvent(new CustomEvent("marked", { detail: { button, on: answer.on } }));
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-mark]");
  if (button) mark(button);
});
document.addEventListener("change", (event) => {
  const form = event.target.closest("form[data-auto]");
  if (form) form.submit();
});
document.querySelectorAll("form").forEach(watch);
document.addEventListener("change", (event) => {
  if (event.target.matches("select[data-go]")) location.href = event.target.value;
});
const end = document.querySelector("[data-more]");
if (end) {
  new IntersectionObserver(async ([entry], observer) => {
    if (!entry.isIntersecting) return;
    observer.disconnect();
    const answer = await fetch(end.dataset.more);
    end.previousElementSibling.insertAdjacentHTML("beforeend", await answer.text());
    end.remove();
  }).observe(end);
}
