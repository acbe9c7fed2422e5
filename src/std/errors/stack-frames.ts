/**
 * Reads the text of a stack. A function or a remote workspace may send any text of any length, so it is read in linear time: no
 * pattern may start again at each blank or letter.
 */

const frame = /^at .*:\d+:\d+\)?$/;

/** Index of the line feed before the first frame; -1 if there is none. */
export function framesStart(stack: string): number {
  return stack.search(/\n[^\S\n]*at /);
}

/** The frames that name a place, such as `at price (prices.ts:3:9)`, unlike "at new Promise (<anonymous>)". */
export function placedFrames(stack: string): string[] {
  return stack
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => frame.test(line));
}

/** Where a frame is: `prices.ts:3:9`. */
export function placeOfFrame(frame: string): string | undefined {
  const begin = frame.endsWith(')') ? frame.indexOf(' (') : -1;
  const place = begin < 0 ? frame.replace(/^at (?:async )?/, '') : frame.slice(begin + 2, -1);
  return /^.+:\d+:\d+$/.test(place) ? place : undefined;
}
