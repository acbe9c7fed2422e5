import { sync } from './ops.ts';

const plainAscii = /^[\0-\x7f]*$/;
const punycode = /(?:^|[.])xn--/i;

/**
 * Stands in for the package `tr46`: plain ASCII names are answered here, the others by the host's ICU.
 * @returns null where the name is invalid
 */
export function toASCII(domain: string, options: { checkHyphens?: boolean } = {}): string | null {
  if (plainAscii.test(domain) && !punycode.test(domain)) return domain.toLowerCase();
  const answer = sync('domainToAscii', domain, options.checkHyphens === true) as string;
  return answer === '' ? null : answer;
}

export function toUnicode(domain: string): { domain: string; error: boolean } {
  const answer = sync('domainToUnicode', domain) as string;
  return { domain: answer, error: answer === '' };
}
