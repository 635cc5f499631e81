/**
 * Keeps the newest in sight, for a reader who is at the end already; anyone else is left where they read. A turn that
 * grows is followed until its question has reached the top, so that a long answer can be read from its beginning.
 */

const NEAR = 90;
const HEADER = 56;

export class Scroll {
  get isAtEnd() {
    return document.documentElement.scrollHeight - innerHeight - scrollY < NEAR;
  }

  /**
   * @param {HTMLElement | undefined} turn
   * @param {() => void} draw
   */
  keepAtEnd(turn, draw) {
    const wasAtEnd = this.isAtEnd;
    const isPast = turn !== undefined && scrollY > topOf(turn) + 4;
    draw();
    if (wasAtEnd) this.toEnd(isPast ? undefined : turn);
  }

  /** @param {HTMLElement | undefined} turn whose question stays in sight */
  toEnd(turn) {
    const end = document.documentElement.scrollHeight;
    scrollTo({ top: turn ? Math.min(end, topOf(turn)) : end, behavior: "instant" });
  }
}

/** @param {HTMLElement} turn */
function topOf(turn) {
  return Math.max(0, turn.getBoundingClientRect().top + scrollY - HEADER);
}
