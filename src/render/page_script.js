// Sorts a table by the column whose heading is pressed; without script the page is whole as it is.
for (const head of document.querySelectorAll("table.sort th")) {
  const button = document.createElement("button");
  button.type = "button";
  button.append(...head.childNodes);
  head.append(button);
  button.addEventListener("click", () => {
    const table = head.closest("table");
    const at = head.cellIndex;
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const numbers = head.classList.contains("n");
    const key = (row) => {
      const cell = row.cells[at];
      const text = cell.dataset.value ?? cell.textContent;
      if (!numbers) return text;
      const value = parseFloat(text);
      return Number.isNaN(value) ? Infinity : value;  // what is not known stands last
    };
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [key(row), row]);
    rows.sort(([a], [b]) => (numbers ? a - b || 0 : a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1));
    body.append(...rows.map(([, row]) => row));
  });
}
