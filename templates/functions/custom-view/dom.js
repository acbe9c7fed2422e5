/**
 * What JSX becomes in this app: plain page elements, created once, without a library. If you use one (preact, react), remove
 * this file, its import and the two comments at the top of the view.
 *
 * @typedef {Node | string | number | false | null | undefined | { [index: number]: Content }} Content
 */

const { document, Node } = globalThis;

/**
 * Shows an element in place of the previous one.
 *
 * @param {HTMLElement} element
 * @param {HTMLElement} container
 */
export function render(element, container) {
  container.replaceChildren(element);
}

/**
 * @param {string} tag
 * @param {Record<string, unknown> | null} properties as the element has them: className, onclick, hidden, …
 * @param {Content[]} content
 */
export function h(tag, properties, ...content) {
  const element = Object.assign(document.createElement(tag), properties);
  append(element, content);
  return element;
}

/**
 * @param {HTMLElement} element
 * @param {Content} content
 */
function append(element, content) {
  if (Array.isArray(content)) for (const part of content) append(element, part);
  // Text is text: nothing a customer writes becomes markup.
  else if (content !== false && content != null)
    element.append(content instanceof Node ? content : String(content));
}
