import { isRecord } from '../../std/index.ts';
import { RunFailure } from '../run-error.ts';

/** An event of AG-UI as it arrives: an object with a type. Only the fields that are used are checked, each when it is used. */
export class AguiEvent {
  readonly type: string;
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(fields: Readonly<Record<string, unknown>>, type: string) {
    this.#fields = fields;
    this.type = type;
  }

  /** @returns undefined if it is no event */
  static read(value: unknown): AguiEvent | undefined {
    if (!isRecord(value) || typeof value['type'] !== 'string') return undefined;
    return new AguiEvent(value, value['type']);
  }

  raw(name: string): unknown {
    return this.#fields[name];
  }

  /** @throws RunFailure `harness_protocol` when it is missing or no text */
  text(name: string): string {
    const value = this.#fields[name];
    if (typeof value === 'string') return value;
    throw this.wrong(value === undefined ? `has no ${name}` : `has a ${name} that is no text`);
  }

  /** Null counts as missing: some servers write every optional field. */
  optionalText(name: string): string | undefined {
    return this.#fields[name] === undefined || this.#fields[name] === null ? undefined : this.text(name);
  }

  wrong(what: string): RunFailure {
    return new RunFailure('harness_protocol', `The agent’s ${this.type} ${what}`);
  }
}
