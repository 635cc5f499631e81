/** Numbers, times and money, as people read them. */

/**
 * How long something took.
 *
 * @param {number} ms
 */
export function duration(ms) {
  if (!Number.isFinite(ms)) return "";
  if (ms < 1) return "<1 ms";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/**
 * An amount of US dollars, as precise as small amounts need.
 *
 * @param {string | number} amount
 */
export function usd(amount) {
  const value = Number(amount);
  if (!Number.isFinite(value)) return "";
  if (value === 0) return "free";
  const digits = Math.abs(value) >= 1 ? 2 : 4;
  return `$${value.toFixed(digits).replace(/(\.\d\d\d*?)0+$/, "$1")}`;
}

/**
 * A moment, in the reader's own time zone.
 *
 * @param {string | number} time ISO 8601, or milliseconds
 */
export function moment(time) {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time);
  return date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/**
 * How long ago, in one word or two.
 *
 * @param {string | number} time
 * @param {number} [now]
 */
export function ago(time, now = Date.now()) {
  const seconds = Math.round((now - new Date(time).getTime()) / 1000);
  if (Number.isNaN(seconds)) return "";
  if (seconds < 45) return "just now";
  const words = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
  if (seconds < 3600) return words.format(-Math.round(seconds / 60), "minute");
  if (seconds < 86_400) return words.format(-Math.round(seconds / 3600), "hour");
  return words.format(-Math.round(seconds / 86_400), "day");
}

/**
 * A count with its noun.
 *
 * @param {number} count
 * @param {string} noun
 */
export function count(count, noun) {
  return `${count.toLocaleString()} ${noun}${count === 1 ? "" : "s"}`;
}

/**
 * The number that a cell holds, when it holds one: `$1,234.5`, `-3 %` and `1.2e6` do.
 *
 * @param {string} text
 * @returns {number | null}
 */
export function numberIn(text) {
  const plain = text.trim().replace(/^([-+\u2212]?)\s*[$€£¥]\s*/, "$1").replace(/\s*%$/, "").replace(/\u2212/g, "-");
  const whole = plain.replace(/,(?=\d{3}(\D|$))/g, "");
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(whole) ? Number(whole) : null;
}

/**
 * A cell as it is shown: long plain numbers get separators, everything else stays as it came.
 *
 * @param {string} text
 */
export function cell(text) {
  if (/^[-+]?\d{5,15}(\.\d+)?$/.test(text)) {
    const [whole, rest] = text.split(".");
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
    return rest === undefined ? grouped : `${grouped}.${rest}`;
  }
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/.test(text)) return text.slice(0, 16).replace("T", " ");
  return text;
}
