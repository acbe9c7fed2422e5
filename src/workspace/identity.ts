import { refusal } from '../contract/index.ts';

/**
 * A phone number in E.164.
 * @param path where it stands in the input, for the refusal
 * @throws WorkspaceError recipient_invalid
 */
export async function phoneOf(text: string, path = 'phone'): Promise<string> {
  const number = await tryPhone(text);
  if (number !== undefined) return number;
  const message = `${JSON.stringify(text)} is not a phone number in international form, as +4930901820`;
  throw refusal('recipient_invalid', `${path}: ${message}`, {
    errors: [{ path, message }],
    hint: lostPlus.test(text)
      ? 'In the query of an address a plus stands for a space: write it as %2B.'
      : 'Write the country code with a plus in front: +49 30 901820.',
  });
}

/** `?phone=+49…` as it arrives. */
const lostPlus = /^ \d/;

/** The numbers of the world take a while to load: not before the first phone number is read. */
let phones: typeof import('libphonenumber-js/min') | undefined;

/** E.164, or undefined where the text is no phone number. Lengths are checked by country, not whether it is taken. */
export async function tryPhone(text: string): Promise<string | undefined> {
  const international = text
    .normalize('NFKC')
    .trim()
    .replace(/^00(?=[1-9])/, '+');
  // What people write between digits; letters and extensions do not fit into E.164.
  if (!/^\+[\d\s()./\-\u2010-\u2015]+$/.test(international)) return undefined;
  phones ??= await import('libphonenumber-js/min');
  const parsed = phones.parsePhoneNumberFromString(international, { extract: false });
  return parsed?.isPossible() === true && parsed.ext === undefined ? parsed.number : undefined;
}

/**
 * An e-mail address in the one form it is kept and compared in: lower case, its domain in ASCII.
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
