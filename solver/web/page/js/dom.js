// Create and find elements.

const SVG = "http://www.w3.org/2000/svg";

/** Return the element with this id. */
export const byId = (id) => document.getElementById(id);

/** Return a new HTML element with attributes (null ones are omitted, functions are listeners) and children. */
export function element(tag, attributes = {}, ...children) {
  return complete(document.createElement(tag), attributes, children);
}

/** The same for an SVG element. */
export function svgElement(tag, attributes = {}, ...children) {
  return complete(document.createElementNS(SVG, tag), attributes, children);
}

/** A decorative picture from the symbols at the top of the page: a stone by its side, or the sign of a verdict. */
export function symbol(kind, name) {
  const id = `${kind}-${name}`;
  return svgElement("svg", { class: `${kind} ${id}`, "aria-hidden": "true" }, svgElement("use", { href: `#${id}` }));
}

/** Set an attribute, or remove it if the value is null or false. */
export function setAttribute(node, name, value) {
  if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

/** Set the text of an element. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Show or hide an element. */
export const setShown = (node, shown) => setAttribute(node, "hidden", shown ? null : "");

/** Let an element be pressed, or not. Unlike disabled, aria-disabled keeps the keyboard focus. */
export const setAble = (node, able) => setAttribute(node, "aria-disabled", able ? null : "true");

/** Whether an element can be pressed. */
export const isAble = (node) => node.ariaDisabled !== "true";

function complete(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else setAttribute(node, name, value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}
