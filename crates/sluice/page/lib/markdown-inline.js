/** The inline part of Markdown: emphasis, code, links and citations. Takes time in proportion to the text. */

import { el } from "./dom.js";
import { safeHref } from "./url.js";

const NESTING_MAX = 12;
const CITATION = /\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\](?!\()/y;
const LINK = /!?\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\]\(\s*(<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/y;
const ADDRESS = /<((?:https?:\/\/|mailto:)[^\s<>]+)>/y;
const BARE = /https?:\/\/[^\s<>]*[^\s<>.,;:!?'"\])}*_~]/y;
const TAGS = { "**": "strong", __: "strong", "*": "em", _: "em", "~~": "s" };

/**
 * @param {string} text
 * @param {import("./markdown.js").Cite} cite
 * @returns {Node[]}
 */
export function inline(text, cite) {
  return new Scanner(text, cite).scan(0, text.length, 0);
}

class Scanner {
  /**
   * @param {string} text
   * @param {import("./markdown.js").Cite} cite
   */
  constructor(text, cite) {
    this.text = text;
    this.cite = cite;
    /** Where each mark closes next, so that no later one looks again. @type {Map<string, { from: number, at: number }>} */
    this.closers = new Map();
  }

  /**
   * @param {number} from
   * @param {number} to
   * @param {number} depth
   * @returns {Node[]}
   */
  scan(from, to, depth) {
    const { text } = this;
    /** @type {Node[]} */
    const nodes = [];
    let plain = "";
    const flush = () => {
      if (plain) nodes.push(document.createTextNode(plain));
      plain = "";
    };
    let at = from;
    while (at < to) {
      const found = this.special(at, to, depth);
      if (found && found.end <= to) {
        flush();
        nodes.push(...found.nodes);
        at = found.end;
      } else if (text[at] === "\\" && at + 1 < to && /[!-/:-@[-`{-~]/.test(text[at + 1])) {
        plain += text[at + 1];
        at += 2;
      } else {
        plain += text[at];
        at += 1;
      }
    }
    flush();
    return nodes;
  }

  /**
   * What begins at a place, when that is more than a letter.
   *
   * @param {number} at
   * @param {number} to
   * @param {number} depth
   * @returns {{ nodes: Node[], end: number } | null}
   */
  special(at, to, depth) {
    switch (this.text[at]) {
      case "`":
        return this.code(at, to);
      case "[":
        return this.citation(at) ?? this.link(at, depth);
      case "!":
        return this.text[at + 1] === "[" ? this.link(at, depth) : null;
      case "<":
        return this.address(ADDRESS, at);
      case "h":
        return /\w/.test(this.text[at - 1] ?? "") ? null : this.address(BARE, at);
      case "*":
      case "_":
      case "~":
        return depth < NESTING_MAX ? this.emphasis(at, to, depth) : null;
      case "\n":
        return /( {2,}|\\)$/.test(this.text.slice(Math.max(0, at - 3), at)) ? { nodes: [el("br")], end: at + 1 } : null;
      default:
        return null;
    }
  }

  /**
   * @param {number} at
   * @param {number} to
   */
  code(at, to) {
    const mark = /`+/y;
    mark.lastIndex = at;
    const run = mark.exec(this.text)?.[0] ?? "`";
    const close = this.find(run, at + run.length, (end) => this.text[end + run.length] !== "`" && this.text[end - 1] !== "`");
    if (close < 0 || close >= to) return { nodes: [document.createTextNode(run)], end: at + run.length };
    const inner = this.text.slice(at + run.length, close).replace(/\n/g, " ");
    const text = /^ .*[^ ].* $/.test(inner) ? inner.slice(1, -1) : inner;
    return { nodes: [el("code", null, text)], end: close + run.length };
  }

  /** @param {number} at */
  citation(at) {
    CITATION.lastIndex = at;
    const found = CITATION.exec(this.text);
    if (!found) return null;
    const node = this.cite(found[1].split(",").map(Number));
    return node ? { nodes: [node], end: at + found[0].length } : null;
  }

  /**
   * @param {number} at
   * @param {number} depth
   */
  link(at, depth) {
    if (depth >= NESTING_MAX) return null;
    LINK.lastIndex = at;
    const found = LINK.exec(this.text);
    if (!found) return null;
    const href = safeHref(found[2].replace(/^<|>$/g, ""));
    const label = new Scanner(found[1], () => null).scan(0, found[1].length, NESTING_MAX);
    // A link that must not be followed stays readable; pictures are never fetched.
    const nodes = href ? [anchor(href, label.length ? label : [document.createTextNode(href)])] : label;
    return { nodes, end: at + found[0].length };
  }

  /**
   * @param {RegExp} pattern
   * @param {number} at
   */
  address(pattern, at) {
    pattern.lastIndex = at;
    const found = pattern.exec(this.text);
    const href = found && safeHref(found[1] ?? found[0]);
    return found && href ? { nodes: [anchor(href, [document.createTextNode(href)])], end: at + found[0].length } : null;
  }

  /**
   * @param {number} at
   * @param {number} to
   * @param {number} depth
   */
  emphasis(at, to, depth) {
    const { text } = this;
    const letter = text[at];
    const mark = text[at + 1] === letter ? letter + letter : letter;
    const tag = TAGS[/** @type {keyof typeof TAGS} */ (mark)];
    const start = at + mark.length;
    if (!tag || /\s/.test(text[start] ?? " ") || (letter === "_" && /\w/.test(text[at - 1] ?? ""))) return null;
    const end = this.find(
      mark,
      start + 1,
      (close) =>
        !/[\s\\]/.test(text[close - 1]) &&
        !(mark.length === 1 && (text[close + 1] === letter || text[close - 1] === letter)) &&
        !(letter === "_" && /\w/.test(text[close + mark.length] ?? "")),
    );
    if (end < 0 || end >= to) return null;
    return { nodes: [el(tag, null, this.scan(start, end, depth + 1))], end: end + mark.length };
  }

  /**
   * Where a mark closes, from a place on; -1 where it never does.
   *
   * @param {string} mark
   * @param {number} from
   * @param {(at: number) => boolean} closes
   */
  find(mark, from, closes) {
    const known = this.closers.get(mark);
    if (known && from >= known.from && (from <= known.at || known.at < 0)) return known.at;
    let at = this.text.indexOf(mark, from);
    while (at >= 0 && !closes(at)) at = this.text.indexOf(mark, at + 1);
    this.closers.set(mark, { from, at });
    return at;
  }
}

/**
 * @param {string} href
 * @param {Node[]} label
 */
export function anchor(href, label) {
  return el("a", { href, target: "_blank", rel: "noopener noreferrer nofollow ugc" }, ...label);
}
