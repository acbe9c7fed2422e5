/** Runs in the page around a Custom View; sent to the browser as text. */
export function viewPageScript(
  start: { base: string; slug: string; title: string; height: number },
  toasts: (place: unknown) => (text: string, kind: string) => void,
): void;
