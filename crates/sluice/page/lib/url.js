/** Addresses: what a link may lead to, and where this page stands. */

/**
 * The address, when following it can run nothing: `http`, `https` and `mailto`, or relative to the page.
 *
 * @param {string} address
 * @returns {string | null}
 */
export function safeHref(address) {
  const text = address.trim();
  // Control characters and blanks are dropped by address parsers, and hide a scheme from the eye.
  if (text === "" || /[\u0000-\u0020\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(text)) return null;
  try {
    const { protocol } = new URL(text, "https://relative.invalid/");
    return ["https:", "http:", "mailto:"].includes(protocol) ? text : null;
  } catch {
    return null;
  }
}

/**
 * An address of the server, under whatever path the server is mounted at.
 *
 * @param {string} path without a slash in front
 * @returns {string}
 */
export function server(path) {
  const base = document.querySelector('meta[name="base"]')?.getAttribute("content") ?? "./";
  return new URL(base + path, location.href.split("#")[0]).href;
}
