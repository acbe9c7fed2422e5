import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readKeptFile } from '../../std/index.ts';

const weeks = 4;
const codeMs = 10 * 60_000;
const mostCodes = 100;
/** A page asks for another one when its token has expired. */
const tokenSeconds = 15 * 60;
const tokenPrefix = 'fnc_';

/**
 * Access to the pages. A one-time code, printed in the terminal, is exchanged for a cookie that scripts cannot read and other sites
 * cannot make the browser send. With it a page gets a short-lived token, for its memory only. The API token never reaches a page.
 */
export class Sessions {
  /** Cookies are shared by all ports of a host, so the cookie's name contains the port. */
  port = 0;
  readonly #stateDir: string | undefined;
  readonly #codes = new Map<string, number>();
  #key: Buffer | undefined;

  constructor(stateDir: string | undefined) {
    this.#stateDir = stateDir;
  }

  openUrl(url: string, path = '/'): string {
    const code = randomBytes(24).toString('base64url');
    if (this.#codes.size >= mostCodes) this.#codes.delete(this.#codes.keys().next().value ?? '');
    this.#codes.set(code, Date.now() + codeMs);
    return `${url}${path}${path.includes('?') ? '&' : '?'}code=${code}`;
  }

  /** Redeems a code. @returns whether it was valid */
  redeem(code: string): boolean {
    const until = this.#codes.get(code);
    this.#codes.delete(code);
    return until !== undefined && Date.now() < until;
  }

  /** The value of a `Set-Cookie` header that signs in. Behind a tunnel with https, the browser does not send it over http. */
  cookie(scheme: 'http' | 'https'): string {
    const until = Math.floor(Date.now() / 1000) + weeks * 7 * 86_400;
    const claim = `${until}.${randomBytes(9).toString('base64url')}`;
    const secure = scheme === 'https' ? '; Secure' : '';
    return `${this.#name}=${claim}.${this.#seal(claim)}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${weeks * 7 * 86_400}${secure}`;
  }

  /** A token for the memory of a page that has a session. It opens the API, and is no cookie: another page cannot use it. */
  token(): { readonly token: string; readonly expiresAt: string } {
    const until = Math.floor(Date.now() / 1000) + tokenSeconds;
    const claim = `${until}.${randomBytes(9).toString('base64url')}`;
    const token = `${tokenPrefix}${claim}.${this.#seal(`token ${claim}`)}`;
    return { token, expiresAt: new Date(until * 1000).toISOString() };
  }

  /** Whether an `Authorization` header holds a token of a page. */
  holdsToken(authorization: string | undefined): boolean {
    if (authorization?.startsWith(`Bearer ${tokenPrefix}`) !== true || authorization.length > 300) return false;
    return this.#isSealed(authorization.slice(`Bearer ${tokenPrefix}`.length), 'token ');
  }

  holds(header: string | undefined): boolean {
    if (header === undefined || header.length > 8_192) return false;
    for (const part of header.split(';')) {
      const [name, value = ''] = part.trim().split('=');
      if (name === this.#name && this.#isSealed(value)) return true;
    }
    return false;
  }

  get #name(): string {
    return `fn_session_${this.port}`;
  }

  #isSealed(value: string, purpose = ''): boolean {
    const [until = '', nonce = '', seal = ''] = value.split('.');
    const expected = Buffer.from(this.#seal(`${purpose}${until}.${nonce}`));
    const given = Buffer.from(seal);
    return given.length === expected.length && timingSafeEqual(given, expected) && Number(until) * 1000 > Date.now();
  }

  #seal(claim: string): string {
    return createHmac('sha256', this.#readKey()).update(claim).digest('base64url');
  }

  /** Kept across restarts, so that open pages continue to work. */
  #readKey(): Buffer {
    if (this.#key) return this.#key;
    if (this.#stateDir !== undefined) {
      const file = join(this.#stateDir, 'session-key');
      const kept = readKeptFile(file);
      if (kept?.length === 32) {
        this.#key = kept;
        return kept;
      }
      const made = randomBytes(32);
      try {
        rmSync(file, { force: true });
        writeFileSync(file, made, { mode: 0o600, flag: 'wx' });
      } catch {
        // Without the file, sessions end with this process.
      }
      this.#key = made;
      return made;
    }
    this.#key = randomBytes(32);
    return this.#key;
  }
}
