import { isRecord } from '../../std/index.ts';
import type { Json } from '../../workspace/index.ts';

/** How much of a call is recorded: `config.log`. */
export interface ToolLogRule {
  readonly arguments: 'full' | 'redacted' | 'none';
  readonly result: 'full' | 'redacted' | 'none';
  /** Paths of fields: `customer.email`; `*` is any name; `*.iban` is every field of that name, at any depth. */
  readonly redact: readonly string[];
}

export const redacted = '[redacted]';
/** Shorter values are hidden in their own place only: they would blank out half of every text. */
const shortest = 4;
const mostValues = 200;

/** The values that no record of a call may show, as they become known: those of its arguments, then those of its result. */
export class Hidden {
  readonly #rule: ToolLogRule;
  readonly #values = new Set<string>();
  #pattern: RegExp | undefined;

  constructor(rule: ToolLogRule) {
    this.#rule = rule;
  }

  /** The arguments or the result as they are recorded; undefined if they are not. */
  shown(part: 'arguments' | 'result', value: Json): Json | undefined {
    const how = this.#rule[part];
    if (how === 'none') {
      this.#hide(value);
      return undefined;
    }
    const shown = how === 'full' || this.#rule.redact.length === 0 ? value : this.#redacted(value, []);
    // What is hidden in the arguments is hidden in the result, too, wherever it stands there.
    return this.#values.size === 0 ? shown : this.#cleaned(shown);
  }

  /** A text without these values. */
  clean(text: string): string {
    if (this.#values.size === 0) return text;
    this.#pattern ??= new RegExp(
      [...this.#values]
        .flatMap((value) => [value, JSON.stringify(value).slice(1, -1)])
        .sort((a, b) => b.length - a.length)
        .map((value) => RegExp.escape(value))
        .join('|'),
      'g',
    );
    return text.replace(this.#pattern, redacted);
  }

  #redacted(value: Json, path: readonly string[]): Json {
    if (Array.isArray(value)) return value.map((item) => this.#redacted(item, path));
    if (!isRecord(value)) return value;
    const shown: Record<string, Json> = {};
    for (const [name, member] of Object.entries(value as Record<string, Json>)) {
      const at = [...path, name];
      if (this.#rule.redact.some((pattern) => matches(pattern, at))) {
        this.#hide(member);
        shown[name] = redacted;
      } else shown[name] = this.#redacted(member, at);
    }
    return shown;
  }

  #cleaned(value: Json): Json {
    if (Array.isArray(value)) return value.map((item) => this.#cleaned(item));
    if (isRecord(value)) {
      const members = Object.entries(value as Record<string, Json>);
      return Object.fromEntries(members.map(([name, member]) => [name, this.#cleaned(member)]));
    }
    if (typeof value === 'number' && this.#values.has(String(value))) return redacted;
    return typeof value === 'string' ? this.clean(value) : value;
  }

  #hide(value: Json): void {
    if (typeof value === 'object' && value !== null) {
      for (const member of Object.values(value)) this.#hide(member);
      return;
    }
    if (typeof value === 'boolean' || value === null) return;
    const text = String(value);
    if (text.length < shortest || this.#values.size >= mostValues) return;
    this.#values.add(text);
    this.#pattern = undefined;
  }
}

/** Whether a path of a tool's config means this field. Items of a list are at the path of the list. */
function matches(pattern: string, path: readonly string[]): boolean {
  const parts = pattern.split('.');
  const anywhere = parts[0] === '*' && parts.length > 1;
  const wanted = anywhere ? parts.slice(1) : parts;
  const at = anywhere ? path.slice(-wanted.length) : path;
  return at.length === wanted.length && wanted.every((part, i) => part === '*' || part === at[i]);
}
