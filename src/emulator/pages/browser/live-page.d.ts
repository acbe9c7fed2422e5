/** Keeps a page of ours as it would be if it were loaded now; sent to the browser as text. */
export function livePageScript(start: { events: string; isProblem: boolean }): void;
