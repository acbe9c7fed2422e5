/**
 * What stands where in the text of a stack. Such a text may be anything that a function or a workspace elsewhere made up, of any length:
 * it is read in linear time, so by no pattern that begins anew at each blank or letter.
 */

const frame = /^at .*:\d+:\d+\)?$/;

/** Index of the line feed before the first frame; -1 where there is none. */
export function framesStart(stack: string): number {
  return stack.search(/\n[^\S\n]*at /);
}

/** The frames that name a place, `at price (prices.ts:3:9)`: "at new Promise (<anonymous>)" leads nowhere. */
export function placedFrames(stack: string): string[] {
  return stack
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => frame.test(line));
}

/** Where a frame is: `prices.ts:3:9`. */
export function placeOfFrame(frame: string): string | undefined {
  const place = (frame.endsWith(')') ? frame.slice(0, -1) : frame).split(/[()\s]/).at(-1);
  return place !== undefined && /^.+:\d+:\d+$/.test(place) ? place : undefined;
}
