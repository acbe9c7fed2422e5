import { UsageError } from '../std/index.ts';

const slugForm = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/**
 * Parses the base address of a platform. Plain http is allowed for this machine only, because the token would travel in the clear.
 * @returns origin and path, without a slash at the end
 * @throws UsageError base_url_invalid, base_url_insecure
 */
export function parseBaseUrl(text: string): string {
  const url = parseHttpUrl(text);
  if (url.search !== '' || url.hash !== '') throw invalid(text, 'it has a query or a fragment');
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/**
 * Parses the address of a workspace as the browser shows it: `https://app.example.com/tenants/acme/conversations/…`.
 * @returns base address and slug; undefined when there is no `/tenants/<slug>` in it
 */
export function parseWorkspaceAddress(text: string): { baseUrl: string; slug: string } | undefined {
  const url = parseHttpUrl(text);
  const match = /^(.*?)\/tenants\/([^/]+)(?:\/|$)/.exec(url.pathname);
  const slug = match?.[2];
  if (match === null || slug === undefined) return undefined;
  return { baseUrl: (url.origin + (match[1] ?? '')).replace(/\/+$/, ''), slug: parseSlug(decode(slug)) };
}

/** @throws UsageError slug_invalid */
export function parseSlug(text: string): string {
  if (slugForm.test(text)) return text;
  throw new UsageError('slug_invalid', `"${text.slice(0, 80)}" is not the slug of a workspace`, {
    hint: 'The slug is the part after /tenants/ in the address of the workspace: letters, digits and dashes.',
  });
}

/** Whether a host is this machine, in which case plain http is safe. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function parseHttpUrl(text: string): URL {
  const trimmed = text.trim();
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (!URL.canParse(withScheme)) throw invalid(text, 'it is not an address');
  const url = new URL(withScheme);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw invalid(text, 'only https addresses are possible');
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('base_url_invalid', 'The address contains a user name or password', {
      hint: 'Enter the address without them; fn asks for the API token separately.',
    });
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new UsageError('base_url_insecure', `${url.origin} is not encrypted`, {
      hint: 'Use the https address. Plain http is only for this machine, because the token would travel in the clear.',
    });
  }
  return url;
}

function invalid(text: string, why: string): UsageError {
  return new UsageError('base_url_invalid', `"${text.slice(0, 200)}" cannot be the address of a workspace: ${why}`, {
    hint: 'Enter it as in the browser: https://app.example.com/tenants/acme',
  });
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
