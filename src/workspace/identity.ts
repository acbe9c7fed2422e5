import { refusal } from '../contract/index.ts';
import { lazy } from '../std/index.ts';

/**
 * Normalises a phone number to E.164.
 * @param path path in the input, for the refusal
 * @throws WorkspaceError recipient_invalid
 */
export async function phoneOf(text: string, path = 'phone'): Promise<string> {
  const number = await tryPhone(text);
  if (number !== undefined) return number;
  const message = `${JSON.stringify(text)} is not a phone number in international form, such as +4930901820`;
  throw refusal('recipient_invalid', `${path}: ${message}`, {
    errors: [{ path, message }],
    hint: lostPlus.test(text)
      ? 'In the query of an address a plus stands for a space: write it as %2B.'
      : 'Write the country code with a plus in front: +49 30 901820.',
  });
}

/** `?phone=+49…` arrives with a blank instead of the plus sign. */
const lostPlus = /^ \d/;

/** The library's data takes a while to load, so it is loaded for the first phone number. */
const phones = lazy(() => import('libphonenumber-js/min'));

/** E.164, or undefined if the text is not a phone number. Checks the length by country, not whether the number is assigned. */
export async function tryPhone(text: string): Promise<string | undefined> {
  const international = text
    .normalize('NFKC')
    .trim()
    .replace(/^00(?=[1-9])/, '+');
  // Separators that people write between digits; letters and extensions do not fit into E.164.
  if (!/^\+[\d\s()./\-\u2010-\u2015]+$/.test(international)) return undefined;
  const parsed = (await phones()).parsePhoneNumberFromString(international, { extract: false });
  return parsed?.isPossible() === true && parsed.ext === undefined ? parsed.number : undefined;
}

/**
 * Normalises an e-mail address to the form that is stored and compared: lower case, its domain in ASCII.
 * @throws WorkspaceError recipient_invalid
 */
export function emailOf(text: string, path = 'email'): string {
  const address = tryEmail(text);
  if (address !== undefined) return address;
  const message = `${JSON.stringify(text)} is not an e-mail address`;
  throw refusal('recipient_invalid', `${path}: ${message}`, { errors: [{ path, message }] });
}

export function tryEmail(text: string): string | undefined {
  const trimmed = text.trim().normalize('NFC').toLowerCase();
  const at = trimmed.lastIndexOf('@');
  const local = trimmed.slice(0, at);
  const domain = process.getBuiltinModule('node:url').domainToASCII(trimmed.slice(at + 1));
  if (at < 1 || local.length > 64 || domain.length > 253) return undefined;
  if (!/^[^\s@"(),:;<>[\\\]\p{Cc}\p{Cf}.]+(\.[^\s@"(),:;<>[\\\]\p{Cc}\p{Cf}.]+)*$/u.test(local)) return undefined;
  if (!/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/.test(domain)) return undefined;
  return `${local}@${domain}`;
}
