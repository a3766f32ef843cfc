"use strict";
function valueOf(row, index) {
  const cell = row.cells[index];
  const number = parseFloat(cell.dataset.value ?? "");
  return Number.isNaN(number) ? cell.textContent : number;
}
function compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "number") return -1;
  if (typeof b === "number") return 1;
  return a.localeCompare(b, undefined, { numeric: true });
}
function sortBy(header) {
  const index = header.cellIndex;
  const body = header.closest("table").tBodies[0];
  const down = header.getAttribute("aria-sort") === "ascending";
  for (const other of header.parentNode.cells) other.setAttribute("aria-sort", "none");
  header.setAttribute("aria-sort", down ? "descending" : "ascending");
  const rows = [...body.rows].sort((a, b) => compare(valueOf(a, index), valueOf(b, index)) * (down ? -1 : 1));
  body.append(...rows);
}
for (const header of document.querySelectorAll("th")) {
  header.addEventListener("click", () => sortBy(header));
  header.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      sortBy(header);
    }
  });
}
