/** Tables as comma-separated values, for copying and for files. */

/**
 * @param {string[]} columns
 * @param {string[][]} rows
 */
export function csv(columns, rows) {
  return [columns, ...rows].map((row) => row.map(field).join(",")).join("\r\n") + "\r\n";
}

/** @param {string} text */
function field(text) {
  // A spreadsheet would run a cell that begins like a formula; numbers keep their sign.
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^[-+]?[\d.,]+(e[-+]?\d+)?%?$/i.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

/**
 * Hands a text to the reader as a file.
 *
 * @param {string} name
 * @param {string} text
 */
export function download(name, text) {
  const address = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
