import type { Any, Fn, Kit } from './kit.ts';
import type { StandIn } from './stand-in.ts';

/**
 * `sdk.request.headers`: `get` and `has` of plain names are answered from the list itself, everything else by the platform's Headers.
 * Waking those takes longer than everything else a small method does.
 */
export function headers({ apply, charCodeAt, toLowerCase, toStringTag }: Kit, standIn: StandIn) {
  const codeAt = (text: string, at: number) => apply(charCodeAt, text, [at]) as number;
  const lower = (text: string) => apply(toLowerCase, text, []) as string;

  /** A name of ASCII letters, digits and hyphens, in lower case; undefined for any other, which may not be a valid header name. */
  function plainName(name: unknown): string | undefined {
    if (typeof name !== 'string' || name === '') return undefined;
    for (let i = 0; i < name.length; i++) {
      const code = codeAt(name, i);
      const isLetter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
      if (!isLetter && code !== 45 && !(code >= 48 && code <= 57)) return undefined;
    }
    return lower(name);
  }

  /** @returns null if there is no such header; undefined where the real Headers would join values or trim blanks */
  function find(list: readonly (readonly [string, string])[], name: string): string | null | undefined {
    let found: string | null = null;
    for (let i = 0; i < list.length; i++) {
      const [key, value] = list[i] as readonly [string, string];
      if (lower(key) !== name) continue;
      if (found !== null || codeAt(value, 0) <= 32 || codeAt(value, value.length - 1) <= 32) return undefined;
      found = value;
    }
    return found;
  }

  /**
   * @param isReal whether the real Headers exist; then only they know of changes made since
   * @param real creates the real Headers
   */
  return (list: readonly (readonly [string, string])[], isReal: () => boolean, real: () => Any): object => {
    const lookUp = (name: unknown): string | null | undefined => {
      const plain = isReal() ? undefined : plainName(name);
      return plain === undefined ? undefined : find(list, plain);
    };
    const get = (...args: unknown[]) => {
      const value = lookUp(args[0]);
      return value === undefined ? apply(real()['get'] as Fn, real(), args) : value;
    };
    const has = (...args: unknown[]) => {
      const value = lookUp(args[0]);
      return value === undefined ? apply(real()['has'] as Fn, real(), args) : value !== null;
    };
    return standIn(
      (key) => (key === 'get' ? get : key === 'has' ? has : key === toStringTag ? 'Headers' : undefined),
      real,
    );
  };
}
