/**
 * Builds elements. Text always becomes a text node and attributes are set one by one, so nothing that came from outside
 * can turn into markup.
 *
 * @typedef {Node | string | number | null | undefined | false} Child
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element. `tag` may carry classes (`button.chip`); functions among `props` are listeners (`onclick`), `true` and
 * `false` set and leave out an attribute, and `null` leaves it out too.
 *
 * @param {string} tag
 * @param {Record<string, unknown> | null} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElement}
 */
export function el(tag, props, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElement(name);
  if (classes.length) node.className = classes.join(" ");
  dress(node, props);
  node.append(...nodes(children));
  return node;
}

/**
 * An SVG element.
 *
 * @param {string} name
 * @param {Record<string, unknown> | null} [props]
 * @param {...(Child | Child[])} children
 * @returns {SVGElement}
 */
export function svg(name, props, ...children) {
  const node = document.createElementNS(SVG, name);
  dress(node, props);
  node.append(...nodes(children));
  return node;
}

/**
 * Puts these children in the place of those that are there.
 *
 * @param {Element} parent
 * @param {...(Child | Child[])} children
 */
export function fill(parent, ...children) {
  parent.replaceChildren(...nodes(children));
}

/**
 * @param {Element} node
 * @param {Record<string, unknown> | null | undefined} props
 */
function dress(node, props) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else node.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * @param {(Child | Child[])[]} children
 * @returns {(Node | string)[]}
 */
function nodes(children) {
  return children
    .flat()
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));
}

/**
 * The element with this id, which the document has.
 *
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const node = document.getElementById(id);
  if (!node) throw new Error(`the document has no #${id}`);
  return node;
}

/**
 * The function, called once a frame however often it is asked for.
 *
 * @param {() => void} draw
 * @returns {() => void}
 */
export function oncePerFrame(draw) {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    // A page in the background gets no frames, and must not fall behind.
    const schedule = document.hidden ? (/** @type {() => void} */ run) => setTimeout(run, 250) : requestAnimationFrame;
    schedule(() => {
      isDue = false;
      draw();
    });
  };
}
