/**
 * Looks again and again until there is something to see, and gives it back: for what tells nobody that it happened.
 * @param what for the message, when it did not happen
 */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  mostMs = 30_000,
): Promise<T> {
  for (const end = performance.now() + mostMs; performance.now() < end; ) {
    const found = await look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`${what}: not within ${mostMs} ms`);
}
