import { type Caller, refusal, type Scope, scopes } from '../../contract/index.ts';
import { newId, sha256Hex } from '../../std/index.ts';
import type { Database } from '../database/index.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const longestHeader = 600;
/** Uses are collected this long and written together. */
const usesKeptMs = 5000;

/**
 * Makes a new token: `fnt_`, eight characters that bind it to the workspace's slug, 32 random ones (190 bits), and a checksum of six.
 * So a token of another workspace can be distinguished from one that never existed.
 */
export function newTokenValue(slug: string): string {
  const random = process.getBuiltinModule('node:crypto').randomBytes(48);
  let text = '';
  for (const byte of random) if (byte < 248 && text.length < 32) text += alphabet[byte % 62];
  if (text.length < 32) return newTokenValue(slug);
  const body = `${slugMark(slug)}${text}`;
  return `fnt_${body}${checksum(body)}`;
}

function isForeignToken(value: string, slug: string): boolean {
  const body = value.slice('fnt_'.length, -6);
  if (!/^fnt_[0-9A-Za-z]{46}$/.test(value) || checksum(body) !== value.slice(-6)) return false;
  return body.slice(0, 8) !== slugMark(slug);
}

/** Tokens are random and long, so a single SHA-256 is enough to store them. */
export function hashOfToken(value: string): string {
  return sha256Hex(value);
}

function slugMark(slug: string): string {
  return hashOfToken(`workspace ${slug}`).slice(0, 8);
}

function checksum(body: string): string {
  return hashOfToken(`token ${body}`).slice(0, 6);
}

interface Known {
  readonly tokenId: string;
  readonly caller: Caller;
  revoked: boolean;
}

/** Authenticates requests. Uses plain statements, because it must not wait for anything to be loaded. */
export class Tokens {
  readonly #database: Database;
  readonly #slug: string;
  readonly #now: () => number;
  readonly #known = new Map<string, Known>();
  readonly #uses = new Map<string, number>();
  /** The token of this machine, and the function that replaces it when it is revoked. */
  #local: { readonly hash: string; readonly renew: () => Promise<void> } | undefined;
  #renewing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database, slug: string, now: () => number) {
    this.#database = database;
    this.#slug = slug;
    this.#now = now;
  }

  /**
   * @param actingAs `agt_…` of the person who sits at this machine: only its own token may say so
   * @throws WorkspaceError token_missing, _malformed, _invalid, _revoked, _foreign; operation_not_allowed
   */
  async authenticate(authorization: string | undefined, actingAs?: string): Promise<Caller> {
    const value = bearerOf(authorization);
    const hash = hashOfToken(value);
    const known = this.#known.get(hash) ?? (await this.#load(hash)) ?? (await this.#renewed(hash));
    if (known === undefined) {
      throw isForeignToken(value, this.#slug)
        ? refusal('token_foreign', undefined, { hint: `This is the workspace ${this.#slug}: use one of its tokens.` })
        : refusal('token_invalid');
    }
    if (known.revoked) throw refusal('token_revoked');
    this.#used(known.tokenId);
    return actingAs === undefined ? known.caller : this.actAs(known.caller, actingAs);
  }

  /** The caller as a person of the team. @throws WorkspaceError operation_not_allowed */
  async actAs({ isMachine, scopes: own }: Caller, id: string): Promise<Caller> {
    if (isMachine !== true) {
      throw refusal('operation_not_allowed', 'Only the token of this machine may act as a person', {
        hint: 'For another one, make a token that always does: fn token create NAME --agent ID',
      });
    }
    const row = await this.#database.reader.use((connection) =>
      connection.get('SELECT name FROM agent WHERE id = ?', id),
    );
    if (row === undefined) throw refusal('operation_not_allowed', 'There is no agent with the id that Fn-Agent names');
    return { type: 'agent', id, name: String(row['name']), scopes: own };
  }

  async #load(hash: string): Promise<Known | undefined> {
    const row = await this.#database.reader.use((connection) =>
      connection.get('SELECT id, name, scopes, revoked_at, agent_id FROM token WHERE hash = ?', hash),
    );
    if (row === undefined) return undefined;
    const own = JSON.parse(String(row['scopes'])) as Scope[];
    const isMachine = hash === this.#local?.hash;
    const agentId = row['agent_id'];
    const caller: Caller = {
      ...(agentId === null
        ? { type: 'token' as const, id: String(row['id']) }
        : { type: 'agent' as const, id: String(agentId) }),
      name: String(row['name']),
      scopes: own,
      ...(isMachine && { isMachine }),
    };
    const known = { tokenId: String(row['id']), caller, revoked: row['revoked_at'] !== null };
    this.#known.set(hash, known);
    return known;
  }

  /** A client that has just read the machine's new token may use it before it is stored. */
  async #renewed(hash: string): Promise<Known | undefined> {
    if (this.#renewing === undefined) return undefined;
    await this.#renewing;
    return await this.#load(hash);
  }

  /**
   * Registers the token of this machine. Idempotent.
   * @param renew called when the token is or gets revoked; installs another one
   */
  async install(value: string, renew: () => Promise<void>): Promise<void> {
    const hash = hashOfToken(value);
    this.#local = { hash, renew };
    const known = await this.#load(hash);
    if (known?.revoked) return await renew();
    if (known !== undefined) return;
    const now = this.#now();
    await this.#database.writer.use((connection) =>
      connection.run(
        `INSERT INTO token (id, name, hash, scopes, created_at) VALUES (?, 'This machine', ?, ?, ?) ON CONFLICT DO NOTHING`,
        newId('tok', now),
        hash,
        JSON.stringify(scopes),
        now,
      ),
    );
    await this.#load(hash);
  }

  /** Treats a token as revoked from now on. */
  revoked(hash: string): void {
    const known = this.#known.get(hash);
    if (known !== undefined) known.revoked = true;
    if (hash !== this.#local?.hash) return;
    // If this fails, the next start renews the token.
    this.#renewing = this.#local.renew().catch(() => {});
  }

  /** The time of a token's last use, if not yet written. */
  lastUse(id: string): number | undefined {
    return this.#uses.get(id);
  }

  #used(id: string): void {
    this.#uses.set(id, this.#now());
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      // If this fails, the next use writes it, or the next change reports the error.
      this.flush().catch(() => {});
    }, usesKeptMs);
    this.#timer.unref();
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#uses.size === 0) return;
    await this.#database.writer.use((connection) => {
      connection.transaction(() => {
        for (const [id, at] of this.#uses) connection.run('UPDATE token SET last_used_at = ? WHERE id = ?', at, id);
      });
    });
    this.#uses.clear();
  }
}

function bearerOf(authorization: string | undefined): string {
  if (authorization === undefined || authorization.trim() === '') {
    throw refusal('token_missing', undefined, { hint: 'Send the header Authorization: Bearer <API_TOKEN>.' });
  }
  const value = /^Bearer +([\w~+/.=-]+)$/i.exec(authorization.trim())?.[1];
  if (value === undefined || authorization.length > longestHeader) {
    throw refusal('token_malformed', undefined, { hint: 'Send the header Authorization: Bearer <API_TOKEN>.' });
  }
  return value;
}
