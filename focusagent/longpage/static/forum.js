"use strict";
document.addEventListener("marked", ({ detail: { button, on } }) => {
  const box = button.closest(".votes");
  const score = box.querySelector(".score");
  box.querySelectorAll("button").forEach((each) => {
    const weight = each.dataset.value === "up" ? 1 : -1;
    const was = each.getAttribute("aria-pressed") === "true";
    const now = each === button && on;
    score.textContent = Number(score.textContent) + weight * (Number(now) - Number(was));
    each.setAttribute("aria-pressed", String(now));
  });
});

function openReply(button) {
  const article = button.closest("article");
  if (article.querySelector("form")) return;
  article.append(document.querySelector("#reply").content.cloneNode(true));
  const form = article.querySelector("form");
  form.querySelector("[name=parent]").value = button.dataset.reply;
  watch(form);
  form.querySelector("textarea").focus();
}

function openReport(button) {
  const veil = document.querySelector(".veil");
  const form = veil.querySelector("form");
  form.reset();
  form.dispatchEvent(new Event("change"));
  form.dataset.id = button.dataset.report;
  veil.hidden = false;
  form.querySelector("input").focus();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.dataset.reply) openReply(button);
  else if (button.dataset.report) openReport(button);
  else if ("close" in button.dataset) {
    const veil = button.closest(".veil");
    if (veil) veil.hidden = true;
    else button.closest("form").remove();
  }
});

document.addEventListener("submit", async (event) => {
  if (!event.target.matches("[data-report-form]")) return;
  event.preventDefault();
  const reason = new FormData(event.target).get("reason");
  if (await send("/api/report", { id: event.target.dataset.id, reason })) say("Thank you. A moderator will look at it.");
  event.target.closest(".veil").hidden = true;
});
