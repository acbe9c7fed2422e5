import type { Workspace } from '../workspace/index.ts';

export interface SecretsOptions {
  readonly workspace: Workspace;
  /** Values of this machine, which win over those of the workspace. */
  readonly localSecrets?: ((app: string) => Promise<Readonly<Record<string, string>>>) | undefined;
}

/** Shorter values would blot out half of every text. */
const shortest = 4;
const redacted = '[redacted]';
const none: Readonly<Record<string, string>> = {};

/** The secrets of apps: their values for the functions of the app, and their absence everywhere else. */
export class Secrets {
  readonly #options: SecretsOptions;
  /** Every value an app was seen to have: what is kept of its invocations must not hold them. */
  readonly #known = new Map<string, Set<string>>();
  readonly #patterns = new Map<string, RegExp | null>();

  constructor(options: SecretsOptions) {
    this.#options = options;
  }

  async get(app: string, name: string): Promise<string | undefined> {
    const [own, kept] = await this.#read(app);
    return Object.hasOwn(own, name) ? own[name] : kept.get(name);
  }

  /** Learns the values of an app before its first invocation; after that it costs nothing. */
  learn(app: string): Promise<void> | undefined {
    if (this.#known.has(app)) return undefined;
    return this.#read(app).then(() => undefined);
  }

  /** Some value was changed: look again. What was known stays secret. */
  async refresh(app: string): Promise<void> {
    await this.#read(app);
  }

  /** The text without any value of the app's secrets. */
  redact(app: string, text: string): string {
    const pattern = this.#patternOf(app);
    return pattern === null ? text : text.replace(pattern, redacted);
  }

  /** Whether there is anything to redact. */
  hasAny(app: string): boolean {
    return this.#patternOf(app) !== null;
  }

  async #read(app: string): Promise<[Readonly<Record<string, string>>, ReadonlyMap<string, string>]> {
    const [own, kept] = await Promise.all([
      this.#options.localSecrets?.(app) ?? none,
      this.#options.workspace.secrets.ofApp(app),
    ]);
    const known = this.#known.get(app) ?? new Set<string>();
    const before = known.size;
    for (const value of [...Object.values(own), ...kept.values()]) {
      if (value.length >= shortest) known.add(value);
    }
    this.#known.set(app, known);
    if (known.size !== before) this.#patterns.delete(app);
    return [own, kept];
  }

  #patternOf(app: string): RegExp | null {
    const made = this.#patterns.get(app);
    if (made !== undefined) return made;
    const values = new Set<string>();
    for (const value of this.#known.get(app) ?? []) {
      // As it stands, and as it stands inside a JSON text.
      values.add(value).add(JSON.stringify(value).slice(1, -1));
    }
    const longestFirst = [...values].sort((a, b) => b.length - a.length);
    const pattern =
      longestFirst.length === 0 ? null : new RegExp(longestFirst.map((value) => RegExp.escape(value)).join('|'), 'g');
    this.#patterns.set(app, pattern);
    return pattern;
  }
}
