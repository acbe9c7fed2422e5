/** A page is made anew, and a view asks anew, for each time: a workspace under load has better things to do. */
const everyMs = 250;

/** Tells of many changes that follow each other once in a while, of the last one for certain. */
export function atMostOften(tell: () => void): { readonly changed: () => void; readonly stop: () => void } {
  let soon: NodeJS.Timeout | undefined;
  return {
    changed: () => {
      soon ??= setTimeout(() => {
        soon = undefined;
        tell();
      }, everyMs).unref();
    },
    stop: () => clearTimeout(soon),
  };
}
