/**
 * Markdown to nodes: headings, lists, tables, code, quotes, emphasis, links. What is not Markdown stays text, HTML
 * included. Blocks that no longer change keep their nodes while an answer streams in.
 *
 * @typedef {(ordinals: number[]) => Node | null} Cite what stands for `[1]` or `[1, 2]`; `null` leaves the text
 */

import { el } from "./dom.js";
import { numberIn } from "./format.js";
import { inline } from "./markdown-inline.js";

const NESTING_MAX = 8;

/** Renders a text that grows into an element. */
export class Markdown {
  /**
   * @param {HTMLElement} node
   * @param {Cite} cite
   */
  constructor(node, cite) {
    this.node = node;
    this.cite = cite;
    /** @type {string[]} */
    this.drawn = [];
  }

  /**
   * Draws the text; only blocks that differ from those drawn last are drawn anew.
   *
   * @param {string} text
   * @param {boolean} isWhole whether no more of it will come
   */
  draw(text, isWhole) {
    const blocks = split(isWhole ? text : settled(text));
    let same = 0;
    while (same < blocks.length && blocks[same] === this.drawn[same]) same += 1;
    while (this.node.childNodes.length > same) this.node.lastChild?.remove();
    for (const source of blocks.slice(same)) this.node.append(block(source.split("\n"), this.cite, 0));
    this.drawn = blocks;
  }

  /** Draws everything again: what citations stand for has changed. */
  forget() {
    this.drawn = [];
    this.node.replaceChildren();
  }
}

/**
 * The text without an end that would look different once it is whole: half a citation, a half link, open emphasis marks.
 *
 * @param {string} text
 */
function settled(text) {
  const end = Math.max(0, text.length - 1000);
  return text.slice(0, end) + text.slice(end).replace(/(\s?\[[\d,\s]{0,12}|\[[^\[\]\n]{0,200}\]\([^)\s]{0,500}|[*_~`]{1,3})$/, "");
}

/**
 * The blocks of a text: what stands between empty lines, with fences and lists kept whole.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function split(text) {
  /** @type {string[]} */
  const blocks = [];
  /** @type {string[]} */
  let lines = [];
  let fence = "";
  const close = () => {
    while (lines.length && lines[lines.length - 1].trim() === "") lines.pop();
    if (lines.length) blocks.push(lines.join("\n"));
    lines = [];
  };
  for (const line of text.replace(/\r\n?/g, "\n").split("\n")) {
    const isList = lines.length > 0 && ITEM.test(lines[0]);
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence) {
      lines.push(line);
      const isClosed = mark && mark[0] === fence[0] && mark.length >= fence.length && line.trim() === mark;
      if (isClosed) fence = "";
      if (isClosed && !isList) close();
      continue;
    }
    if (isList ? !belongs(lines, line) : lines.length && begins(lines[0], line)) close();
    if (mark) fence = mark;
    if (line.trim() === "" && !isList) close();
    else lines.push(line);
    if (HEADING.test(line) || RULE.test(line)) close();
  }
  close();
  return blocks;
}

const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const RULE = /^ {0,3}([-*_])(\s*\1){2,}\s*$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(?=\S)/;
const QUOTE = /^ {0,3}> ?/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * Whether a line goes on with the list that is open.
 *
 * @param {string[]} lines
 * @param {string} line
 */
function belongs(lines, line) {
  if (line.trim() === "" || /^\s{2,}/.test(line)) return true;
  if (HEADING.test(line) || RULE.test(line) || QUOTE.test(line) || FENCE.test(line) || isRow(line)) return false;
  const isOrdered = (/** @type {string} */ item) => /^\s*\d/.test(item);
  if (ITEM.test(line)) return isOrdered(line) === isOrdered(lines[0]);
  return lines[lines.length - 1].trim() !== "";
}

/**
 * Whether a line begins another block than the one that is open.
 *
 * @param {string} first
 * @param {string} line
 */
function begins(first, line) {
  if (HEADING.test(line) || RULE.test(line) || ITEM.test(line) || FENCE.test(line)) return true;
  return QUOTE.test(first) !== QUOTE.test(line) || isRow(line) !== isRow(first);
}

/** @param {string} line */
function isRow(line) {
  return /^\s*\|.*\|\s*$/.test(line);
}

/**
 * @param {string[]} lines
 * @param {Cite} cite
 * @param {number} depth
 * @returns {Node}
 */
function block(lines, cite, depth) {
  const first = lines[0];
  const heading = HEADING.exec(first);
  // The page's own headings stand above those of an answer.
  if (heading) return el(`h${Math.min(6, heading[1].length + 2)}`, { dir: "auto" }, inline(heading[2], cite));
  if (RULE.test(first)) return el("hr");
  if (FENCE.test(first)) return code(lines);
  if (depth < NESTING_MAX && QUOTE.test(first)) {
    const inner = split(lines.map((line) => line.replace(QUOTE, "")).join("\n"));
    return el("blockquote", { dir: "auto" }, ...inner.map((source) => block(source.split("\n"), cite, depth + 1)));
  }
  if (depth < NESTING_MAX && ITEM.test(first)) return list(lines, cite, depth);
  if (lines.length > 1 && isRow(first) && /^[\s|:-]*-[\s|:-]*$/.test(lines[1])) return table(lines, cite);
  return el("p", { dir: "auto" }, inline(lines.map((line) => line.trimStart()).join("\n"), cite));
}

/** @param {string[]} lines */
function code(lines) {
  const mark = FENCE.exec(lines[0])?.[1] ?? "```";
  const isClosed = lines.length > 1 && lines[lines.length - 1].trim().startsWith(mark);
  const text = lines.slice(1, isClosed ? -1 : undefined).join("\n");
  return el("pre", { tabindex: 0, dir: "ltr" }, el("code", null, text));
}

/**
 * @param {string[]} lines
 * @param {Cite} cite
 * @param {number} depth
 */
function list(lines, cite, depth) {
  const [, lead, mark] = ITEM.exec(lines[0]) ?? ["", "", "-"];
  const isOrdered = /\d/.test(mark);
  /** @type {string[][]} */
  const items = [];
  let width = 2;
  for (const line of lines) {
    const found = ITEM.exec(line);
    if (found && found[1].length <= lead.length + 1) {
      width = found[0].length;
      items.push([line.slice(width)]);
    } else {
      // As much of the indent goes as the item's own text has.
      const indent = Math.min(width, line.length - line.trimStart().length);
      items[items.length - 1]?.push(line.slice(indent));
    }
  }
  const start = isOrdered && parseInt(mark, 10) !== 1 ? parseInt(mark, 10) : null;
  return el(
    isOrdered ? "ol" : "ul",
    { dir: "auto", start },
    ...items.map((item) => el("li", { dir: "auto" }, ...itemBody(item, cite, depth))),
  );
}

/**
 * @param {string[]} lines
 * @param {Cite} cite
 * @param {number} depth
 * @returns {Node[]}
 */
function itemBody(lines, cite, depth) {
  const blocks = split(lines.join("\n"));
  return blocks.flatMap((source, place) => {
    const node = block(source.split("\n"), cite, depth + 1);
    const isPlain = place === 0 && node instanceof HTMLParagraphElement;
    return isPlain ? [...node.childNodes] : [node];
  });
}

/**
 * @param {string[]} lines
 * @param {Cite} cite
 */
function table(lines, cite) {
  const [head, rule, ...rows] = lines.map(cells);
  const sides = rule.map((mark) => (/^:-+:$/.test(mark) ? "center" : /-:$/.test(mark) ? "end" : ""));
  const isNumeric = head.map((_, at) => {
    // What a number is cited from stands behind it.
    const texts = rows.map((row) => (row[at] ?? "").replace(/\s*\[[\d,\s]+\]$/, "")).filter((text) => text !== "");
    return texts.length > 0 && texts.every((text) => numberIn(text) !== null);
  });
  const side = (/** @type {number} */ at) => sides[at] || (isNumeric[at] ? "end" : null);
  return el(
    "div.scroll",
    { tabindex: 0, role: "group", "aria-label": "Table" },
    el(
      "table",
      null,
      el("thead", null, el("tr", null, ...head.map((text, at) => (text ? el("th", { scope: "col", "data-side": side(at) }, inline(text, cite)) : el("td"))))),
      el(
        "tbody",
        null,
        ...rows.map((row) =>
          el("tr", null, ...head.map((_, at) => el("td", { dir: "auto", "data-side": side(at) }, inline(row[at] ?? "", cite)))),
        ),
      ),
    ),
  );
}

/** @param {string} line */
function cells(line) {
  const inner = line.trim().replace(/^\|/, "").replace(/\|$/, "");
  return inner.split(/(?<!\\)\|/).map((text) => text.trim().replace(/\\\|/g, "|"));
}
