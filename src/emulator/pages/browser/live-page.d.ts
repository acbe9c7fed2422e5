/** Keeps one of our pages up to date; sent to the browser as text. */
export function livePageScript(start: { events: string; isProblem: boolean }): void;
