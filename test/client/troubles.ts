import type { Between, Fate } from '../../bench/faults/between.ts';

/**
 * What a trouble lets a client know. `passing`: a request may be made again, and whether this one was carried out nobody knows. `busy`: it was
 * certainly not carried out, and later it may be. `certain`: it was not carried out, and waiting does not help. `strange`: something that is no
 * workspace answered. `access` and `refusal`: it was refused, with exit code 4 and 1.
 */
export type Nature = 'passing' | 'busy' | 'certain' | 'strange' | 'access' | 'refusal';

export interface Trouble {
  readonly fate: Fate | 'gone';
  readonly nature: Nature;
  /** What message and hint say when it lasts. */
  readonly says: RegExp;
}

const page = { 'content-type': 'text/html' };
const problem = (code: string) => JSON.stringify({ code, title: 'as a gateway would' });
const answer = (status: number, headers: Record<string, string>, body: string, done = false): Fate => ({
  kind: 'answer',
  done,
  status,
  headers,
  body,
});
const json = { 'content-type': 'application/json' };
const later = { ...json, 'retry-after': '0' };

export const troubles: Readonly<Record<string, Trouble>> = {
  // First, because they take longest.
  'no answer ever comes': { fate: { kind: 'silence', done: false }, nature: 'passing', says: /did not answer within/ },
  'it is carried out, and no answer ever comes': {
    fate: { kind: 'silence', done: true },
    nature: 'passing',
    says: /did not answer within/,
  },
  'nothing listens any more': { fate: 'gone', nature: 'certain', says: /nothing is listening/ },
  'the connection is reset before it is carried out': {
    fate: { kind: 'reset', done: false },
    nature: 'passing',
    says: /the connection to .* broke/,
  },
  'the connection is reset after it was carried out': {
    fate: { kind: 'reset', done: true },
    nature: 'passing',
    says: /the connection to .* broke/,
  },
  'the answer is cut in its head': { fate: { kind: 'cut', share: 0.05 }, nature: 'passing', says: /broke/ },
  'the answer is cut in its middle': { fate: { kind: 'cut', share: 0.6 }, nature: 'passing', says: /broke/ },
  'the answer lacks its last byte': { fate: { kind: 'cut', share: 1 }, nature: 'passing', says: /broke/ },
  '429 without Retry-After': {
    fate: answer(429, json, problem('rate_limited')),
    nature: 'busy',
    says: /gateway/,
  },
  '429 with seconds': {
    fate: answer(429, later, problem('rate_limited')),
    nature: 'busy',
    says: /gateway/,
  },
  '429 with a date': {
    fate: answer(429, { ...json, 'retry-after': new Date(0).toUTCString() }, problem('rate_limited')),
    nature: 'busy',
    says: /gateway/,
  },
  '429 with garbage': {
    fate: answer(429, { ...page, 'retry-after': 'soon' }, '<html>'),
    nature: 'busy',
    says: /answered 429/,
  },
  '429 for a day': {
    fate: answer(429, { ...json, 'retry-after': '86400' }, problem('rate_limited')),
    nature: 'certain',
    says: /no requests before \d{4}-.*/,
  },
  '500 in the words of the API': {
    fate: answer(500, later, problem('internal_error')),
    nature: 'passing',
    says: /gateway|500/,
  },
  '500 after it was carried out': {
    fate: answer(500, later, problem('internal_error'), true),
    nature: 'passing',
    says: /gateway|500/,
  },
  '502 as a page': { fate: answer(502, { ...page, 'retry-after': '0' }, '<html>'), nature: 'passing', says: /502/ },
  '503 as a page': { fate: answer(503, { ...page, 'retry-after': '0' }, '<html>'), nature: 'passing', says: /503/ },
  '504 after it was carried out': {
    fate: answer(504, { ...page, 'retry-after': '0' }, '<html>', true),
    nature: 'passing',
    says: /504/,
  },
  'a page in place of JSON': { fate: answer(200, page, '<html>'), nature: 'strange', says: /a web page/ },
  'a page after it was carried out': { fate: answer(200, page, '<html>', true), nature: 'strange', says: /a web page/ },
  'broken JSON': { fate: answer(200, json, '{"id": "dpl_'), nature: 'strange', says: /broken JSON/ },
  'JSON of another shape': { fate: answer(200, json, '{"hello":"world"}'), nature: 'strange', says: /other JSON/ },
  'a list in place of an object': { fate: answer(200, json, '[1]'), nature: 'strange', says: /other JSON/ },
  'null in place of an object': { fate: answer(200, json, 'null'), nature: 'strange', says: /other JSON/ },
  'no content': { fate: answer(204, {}, ''), nature: 'strange', says: /without a type|nothing/ },
  'a redirect to another place': {
    fate: answer(302, { location: 'https://elsewhere.example/login' }, ''),
    nature: 'strange',
    says: /elsewhere\.example\/login/,
  },
  'a permanent redirect': {
    fate: answer(308, { location: 'https://elsewhere.example/api' }, ''),
    nature: 'certain',
    says: /elsewhere\.example\/api/,
  },
  '401 of a proxy': { fate: answer(401, page, '<html>'), nature: 'access', says: /refused access/ },
  '403 of a firewall': { fate: answer(403, page, '<html>'), nature: 'access', says: /refused access/ },
  '404 as a page': {
    fate: answer(404, page, '<html>'),
    nature: 'refusal',
    says: /operations\.\w+\.\w+\.route|is a documented route/,
  },
  '404 in other JSON': {
    fate: answer(404, json, '{"error":"not found"}'),
    nature: 'refusal',
    says: /assumed at "(?:GET|POST|PUT|DELETE) .*operations\.\w+\.\w+\.route|is a documented route/,
  },
  '405 of the API': {
    fate: answer(405, json, problem('method_not_allowed')),
    nature: 'refusal',
    says: /assumed at "(?:GET|POST|PUT|DELETE) .*operations\.\w+\.\w+\.route|is a documented route/,
  },
};

/** Brings the trouble upon one of the next requests: that one, or that one and all after it. @param step from 0 */
export function brew(proxy: Between, step: number, fate: Fate | 'gone', always: boolean): void {
  if (fate === 'gone' && step === 0) return proxy.leave();
  const first = proxy.seen.length + 1 + step;
  proxy.watch({
    arrived: ({ n }) => (fate !== 'gone' && (n === first || (always && n > first)) ? fate : undefined),
    carriedOut({ n }) {
      if (fate === 'gone' && n === first - 1) proxy.leave();
    },
  });
}
