import type { Kysely } from 'kysely';
import { type Caller, limits, refusal } from '../../contract/index.ts';
import { sha256Hex } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';

const windowMs = limits.idempotencyHours * 3_600_000;

/** The scope of a key: another caller's identical key is a different key. */
export function scopeOfKey(caller: Caller): string {
  return `${caller.type} ${caller.app ?? ''} ${caller.id ?? ''}`;
}

export interface Kept {
  readonly fingerprint: string;
  /** JSON text; null while the first request is still running. */
  readonly answer: string | null;
}

/** Reads what is stored for a key; keys are stored hashed, because an answer may be sealed with its key. */
export async function keptOf(db: Kysely<Tables>, scope: string, key: string, now: number): Promise<Kept | undefined> {
  await db
    .deleteFrom('idempotency')
    .where('at', '<=', now - windowMs)
    .execute();
  return db
    .selectFrom('idempotency')
    .select(['fingerprint', 'answer'])
    .where('scope', '=', scope)
    .where('key_hash', '=', sha256Hex(key))
    .executeTakeFirst();
}

export async function keep(db: Kysely<Tables>, scope: string, key: string, kept: Kept & { at: number }): Promise<void> {
  const { fingerprint, answer, at } = kept;
  await db
    .insertInto('idempotency')
    .values({ scope, key_hash: sha256Hex(key), fingerprint, answer, at })
    .onConflict((conflict) => conflict.columns(['scope', 'key_hash']).doUpdateSet({ fingerprint, answer, at }))
    .execute();
}

export async function forget(db: Kysely<Tables>, scope: string, key: string): Promise<void> {
  await db.deleteFrom('idempotency').where('scope', '=', scope).where('key_hash', '=', sha256Hex(key)).execute();
}

export function requireKey(key: string): void {
  if (key.length >= 1 && key.length <= 255 && /^[\x20-\x7e]+$/.test(key)) return;
  throw refusal('header_invalid', 'An idempotency key has 1 to 255 printable ASCII characters');
}

export function requireSameRequest(kept: Kept, fingerprint: string): void {
  if (kept.fingerprint !== fingerprint) throw refusal('idempotency_key_reused');
}

/** Encrypts an answer that must not be stored in clear text (a token's value) with its idempotency key. */
export function seal(answer: string, key: string): string {
  const { createCipheriv, hkdfSync, randomBytes } = process.getBuiltinModule('node:crypto');
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', sealKey(hkdfSync, key), nonce);
  const sealed = Buffer.concat([cipher.update(answer, 'utf8'), cipher.final()]);
  return [nonce, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url')).join('.');
}

export function unseal(sealed: string, key: string): string {
  const { createDecipheriv, hkdfSync } = process.getBuiltinModule('node:crypto');
  const [nonce, tag, body] = sealed.split('.').map((part) => Buffer.from(part, 'base64url'));
  if (nonce === undefined || tag === undefined || body === undefined) throw new Error('not a sealed answer');
  const decipher = createDecipheriv('aes-256-gcm', sealKey(hkdfSync, key), nonce);
  decipher.setAuthTag(tag);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}

function sealKey(hkdfSync: typeof import('node:crypto').hkdfSync, key: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, 'fn idempotency', 'answer', 32));
}
