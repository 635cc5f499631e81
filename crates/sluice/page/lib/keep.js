/** Remembers the reader's choices in this browser. Storage may be full, or switched off: then they last for the visit. */

/** @type {Map<string, string>} */
const passing = new Map();

/**
 * @param {string} name
 * @returns {string | null}
 */
export function recall(name) {
  try {
    return localStorage.getItem(`sluice.${name}`) ?? passing.get(name) ?? null;
  } catch {
    return passing.get(name) ?? null;
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
export function keep(name, value) {
  passing.set(name, value);
  try {
    localStorage.setItem(`sluice.${name}`, value);
  } catch {
    // Kept for the visit.
  }
}
