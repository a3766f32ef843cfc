"use strict";
// Folding menu, tabs, the filter builder, and reference fields whose matches pop up while one types.
document.addEventListener("click", (event) => {
  const fold = event.target.closest("[data-fold]");
  if (fold) {
    const open = fold.getAttribute("aria-expanded") === "true";
    fold.setAttribute("aria-expanded", String(!open));
    fold.nextElementSibling.hidden = open;
  }
  const tab = event.target.closest("[data-tab]");
  if (tab) {
    document.querySelectorAll("[data-tab]").forEach((each) => each.setAttribute("aria-selected", String(each === tab)));
    document.querySelectorAll("[data-panel]").forEach((each) => { each.hidden = each.dataset.panel !== tab.dataset.tab; });
  }
  const run = event.target.closest("[data-run]");
  if (run) {
    const fields = new FormData(run.form);
    const query = new URLSearchParams();
    fields.getAll("where").forEach((where) => query.append("where", where));
    query.append("where", `${fields.get("field")}:${fields.get("operator")}:${fields.get("value").trim()}`);
    query.append("order", fields.get("order"));
    if (fields.get("down")) query.append("down", "1");
    location.href = `/list?${query}`;
  }
});

document.querySelectorAll("[data-reference]").forEach((field) => {
  const list = field.nextElementSibling;
  const show = (names) => {
    list.replaceChildren(...names.map((name) => {
      const option = document.createElement("li");
      option.setAttribute("role", "option");
      option.textContent = name;
      option.tabIndex = 0;
      option.addEventListener("click", () => { field.value = name; show([]); field.dispatchEvent(new Event("input", { bubbles: true, detail: "chosen" })); });
      option.addEventListener("keydown", (event) => { if (event.key === "Enter") option.click(); });
      return option;
    }));
    list.hidden = !names.length;
    field.setAttribute("aria-expanded", String(!list.hidden));
  };
  field.addEventListener("input", async () => {
    const answer = await fetch(`${field.dataset.reference}?q=${encodeURIComponent(field.value)}`);
    const names = await answer.json();
    show(names.length === 1 && names[0] === field.value ? [] : names);
  });
});
