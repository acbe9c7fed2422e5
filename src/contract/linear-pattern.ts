/**
 * Patterns of authors, in linear time: the engine's own RegExp backtracks. The room's third face, because it loads the pattern library.
 */
import { RE2JS } from 're2js';

export interface LinearPattern {
  /** Whether it fits anywhere in a text. */
  test(text: string): boolean;
  toString(): string;
}

/** @throws Error if the pattern is none, or needs lookaheads or back references */
export function linearRegExp(pattern: string): LinearPattern {
  // Patterns use JavaScript's syntax, which escapes some characters differently: \u00e4.
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  return { test: (text) => compiled.matcher(text).find(), toString: () => pattern };
}
/** The name by which Ajv calls it in the code that it makes. Ajv distinguishes patterns by their `toString`. */
linearRegExp.code = 'linearRegExp';
