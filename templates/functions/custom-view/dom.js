/**
 * What JSX becomes in this app: plain elements of the page, made once. No library is needed; with one (preact, react) leave out
 * this file and the two comments at the top of the view.
 *
 * @typedef {Node | string | number | false | null | undefined | Content[]} Content
 */

/**
 * @param {string} tag
 * @param {Record<string, unknown> | null} properties as the element has them: className, onclick, hidden, …
 * @param {Content[]} content
 */
export function h(tag, properties, ...content) {
  const element = Object.assign(document.createElement(tag), properties);
  for (const part of content.flat(Number.POSITIVE_INFINITY)) {
    // Text is text: nothing a customer writes becomes markup.
    if (part !== false && part != null) element.append(part instanceof Node ? part : String(part));
  }
  return element;
}
