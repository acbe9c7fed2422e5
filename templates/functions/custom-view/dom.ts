/**
 * What JSX becomes in this app: plain elements of the page, made once. No library is needed; with one (preact, react) leave out
 * this file and the two comments at the top of the view.
 */

type Content = Node | string | number | false | null | undefined | Content[];

/** @param properties as the element has them: className, onclick, hidden, … */
export function h(tag: string, properties: Record<string, unknown> | null, ...content: Content[]): HTMLElement {
  const element = Object.assign(document.createElement(tag), properties);
  for (const part of content.flat(Number.POSITIVE_INFINITY) as Content[]) {
    // Text is text: nothing a customer writes becomes markup.
    if (part !== false && part != null) element.append(part instanceof Node ? part : String(part));
  }
  return element;
}

export declare namespace h {
  namespace JSX {
    type Element = HTMLElement;
    type IntrinsicElements = {
      [Tag in keyof HTMLElementTagNameMap]: Partial<Omit<HTMLElementTagNameMap[Tag], 'children'>> & {
        children?: Content;
      };
    };
    interface ElementChildrenAttribute {
      children: unknown;
    }
  }
}
