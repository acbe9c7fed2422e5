import type { Workspace } from '../../workspace/index.ts';

export interface SecretsOptions {
  readonly workspace: Workspace;
  /** Values on this machine, which override those of the workspace. */
  readonly localSecrets?: ((app: string) => Promise<Readonly<Record<string, string>>>) | undefined;
}

/** Shorter values are not redacted: they would blank out half of every text. */
const shortest = 4;
const signingPrefix = 'whsec_';
const redacted = '[redacted]';
const none: Readonly<Record<string, string>> = {};

/**
 * The secrets of apps: provides them to the app's functions, and redacts them everywhere else. The records of every app are also redacted of
 * the secrets that belong to the workspace.
 */
export class Secrets {
  readonly #options: SecretsOptions;
  /** All values that an app has had, which must not appear in its records. */
  readonly #known = new Map<string, Set<string>>();
  /** All values that webhook endpoints, say, have had. */
  readonly #ofOwners = new Set<string>();
  #readOwners: Promise<void> | undefined;
  #knowsOwners = false;
  readonly #patterns = new Map<string, RegExp | null>();

  constructor(options: SecretsOptions) {
    this.#options = options;
    options.workspace.secrets.onOwnerSecret((value) => this.#addOfOwner(value));
  }

  async get(app: string, name: string): Promise<string | undefined> {
    const [own, kept] = await this.#read(app);
    return Object.hasOwn(own, name) ? own[name] : kept.get(name);
  }

  /** Reads the values of an app before its first invocation; later calls cost nothing. */
  learn(app: string): Promise<void> | undefined {
    if (this.#known.has(app) && this.#knowsOwners) return undefined;
    return Promise.all([this.#read(app), this.#learnOwners()]).then(() => undefined);
  }

  /** Reads the values again after a change. Old values are still redacted. */
  async refresh(app: string): Promise<void> {
    await this.#read(app);
  }

  /** Removes the values of the app's secrets from a text. */
  redact(app: string, text: string): string {
    const pattern = this.#patternOf(app);
    return pattern === null ? text : text.replace(pattern, redacted);
  }

  /** Whether there is anything to redact. */
  hasAny(app: string): boolean {
    return this.#patternOf(app) !== null;
  }

  #learnOwners(): Promise<void> {
    this.#readOwners ??= this.#options.workspace.secrets.ofOwners().then(
      (values) => {
        for (const value of values) this.#addOfOwner(value);
        this.#knowsOwners = true;
      },
      (error: unknown) => {
        this.#readOwners = undefined;
        throw error;
      },
    );
    return this.#readOwners;
  }

  #addOfOwner(value: string): void {
    if (value.length < shortest || this.#ofOwners.has(value)) return;
    this.#ofOwners.add(value);
    // Libraries take the key of a signature from the text behind its prefix.
    if (value.startsWith(signingPrefix)) this.#ofOwners.add(value.slice(signingPrefix.length));
    this.#patterns.clear();
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
    const values = new Set([...(this.#known.get(app) ?? []), ...this.#ofOwners].flatMap(formsOf));
    const longestFirst = [...values].sort((a, b) => b.length - a.length);
    const pattern =
      longestFirst.length === 0 ? null : new RegExp(longestFirst.map((value) => RegExp.escape(value)).join('|'), 'g');
    this.#patterns.set(app, pattern);
    return pattern;
  }
}

/** Shorter lines of a value, and shorter values in base64 or hexadecimal, are not distinctive enough. */
const shortestPart = 8;

/** A value in all forms that libraries write when they report a request: plain, and encoded for JSON, URLs, forms, base64 and hexadecimal. */
function formsOf(value: string): string[] {
  const address = new URL('http://x');
  address.search = value;
  const forms = [
    value,
    JSON.stringify(value).slice(1, -1),
    address.search.slice(1),
    encodeURIComponent(value.toWellFormed()),
    new URLSearchParams({ '': value }).toString().slice(1),
    ...value.split(/\r?\n/).filter((line) => line.length >= shortestPart),
    ...(value.length >= shortestPart ? [...inBase64(value), ...inHex(value)] : []),
  ];
  return forms.filter((form) => form.length >= shortest);
}

/**
 * The base64 forms of a value: these depend on its position within a group of three bytes (as after `user:` in Basic authentication). All
 * three, without the characters that also depend on the surrounding bytes.
 */
function inBase64(value: string): string[] {
  const forms: string[] = [];
  for (const before of [0, 1, 2]) {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)]);
    const whole = Math.floor((bytes.length * 8) / 6);
    const text = bytes.toString('base64').slice(before === 0 ? 0 : before + 1, whole);
    forms.push(text, text.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return forms;
}

function inHex(value: string): string[] {
  const text = Buffer.from(value).toString('hex');
  return [text, text.toUpperCase()];
}
