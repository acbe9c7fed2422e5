/** Shows the notices of a view in this place; sent to the browser as text. The place is an element of the page. */
export function toasts(place: unknown): (text: string, kind: string) => void;
