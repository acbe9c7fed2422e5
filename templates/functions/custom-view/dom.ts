/**
 * What JSX becomes in this app: plain page elements, created once, without a library. If you use one (preact, react), remove
 * this file, its import and the two comments at the top of the view.
 */

type Content = Node | string | number | false | null | undefined | Content[];

/** Shows an element in place of the previous one. */
export function render(element: HTMLElement, container: HTMLElement): void {
  container.replaceChildren(element);
}

/** @param properties as the element has them: className, onclick, hidden, … */
export function h(
  tag: string,
  properties: Record<string, unknown> | null,
  ...content: Content[]
): HTMLElement {
  const element = Object.assign(document.createElement(tag), properties);
  append(element, content);
  return element;
}

function append(element: HTMLElement, content: Content): void {
  if (Array.isArray(content)) for (const part of content) append(element, part);
  // Text is text: nothing a customer writes becomes markup.
  else if (content !== false && content != null)
    element.append(content instanceof Node ? content : String(content));
}

// eslint-disable-next-line @typescript-eslint/no-namespace -- where TypeScript looks for the types of JSX
export declare namespace JSX {
  type Element = HTMLElement;
  type IntrinsicElements = {
    [Tag in keyof HTMLElementTagNameMap]: Partial<
      Omit<HTMLElementTagNameMap[Tag], 'children'>
    > & {
      children?: Content;
    };
  };
  interface ElementChildrenAttribute {
    children: unknown;
  }
}
