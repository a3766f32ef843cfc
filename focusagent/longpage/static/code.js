"use strict";
// Dialogs, and a copy button in a shadow tree of its own.
document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-open]");
  if (opener) document.getElementById(opener.dataset.open).hidden = false;
  if (event.target.closest("[data-close]")) event.target.closest(".veil").hidden = true;
});

customElements.define("copy-link", class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: "open" });
    const text = document.createElement("span");
    text.textContent = `${this.getAttribute("address")} `;
    const button = document.createElement("button");
    button.textContent = "Copy address";
    button.addEventListener("click", () => { button.textContent = "Copied"; });
    root.append(text, button);
  }
});
