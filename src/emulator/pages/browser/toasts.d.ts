/** Shows the toasts of a view in this element; sent to the browser as text. */
export function toasts(place: unknown): (text: string, kind: string) => void;
