/** Each notification makes pages render and views request again, so their rate is limited. */
const everyMs = 250;

/** Limits the rate of notifications; the last change is always reported. */
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
