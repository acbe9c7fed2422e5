import type { Failure } from '../../sandbox/index.ts';
import { sdkTable } from '../../sdk/index.ts';
import { nearest } from '../../std/index.ts';

/** V8's words for what follows from a name that does not exist. */
const follows = /is not a function|of undefined \(reading '/;
/** Everything in front of the position of such an error: `sdk.` or `sdk.customers.`. */
const sdkPath = /\bsdk\.(?:(\w+)\??\.)?$/;

const log = ['debug', 'info', 'warn', 'error'];

/** Members of the Client SDK besides the operations; those without a list hold data. */
const ofViews: Readonly<Record<string, readonly string[]>> = {
  ui: ['toast', 'openConversation', 'confirm'],
  methods: ['call'],
  view: [],
  user: [],
  conversation: [],
  customer: [],
  context: [],
};

/** Members that only functions of one type have. */
const owners: Readonly<Record<string, string>> = {
  request: 'a Server Side Method',
  flow: 'a Custom Flow Node',
  tool: 'an AI Tool',
  cron: 'a Cron Job',
  setup: 'a Custom App Setup',
  view: 'a Custom View',
  user: 'a Custom View',
  ui: 'a Custom View',
};

/**
 * What to do about an error that comes from a name that `sdk` does not have: `sdk.customer.find(…)`, `sdk.customers.findOne(…)`. The
 * engine names only what could not be read from it, so the source line is looked at.
 * @param face `client`: in a Custom View
 * @returns undefined for any other error
 */
export function misspeltMember(
  { name, message, place }: Pick<Failure, 'name' | 'message' | 'place'>,
  face: 'sdk' | 'client' = 'sdk',
): string | undefined {
  const { text, column } = place ?? {};
  if (name !== 'TypeError' || text === undefined || column === undefined || !follows.test(message)) return undefined;
  const path = sdkPath.exec(text.slice(0, column - 1));
  const member = /^\w+/.exec(text.slice(column - 1))?.[0];
  if (!path || member === undefined) return undefined;
  const inView = face === 'client';
  const members: Readonly<Record<string, readonly string[]>> = { ...sdkTable(face), ...(inView ? ofViews : { log }) };
  const [, area = member] = path;
  if (area === 'context') return undefined;
  if (!Object.hasOwn(members, area) && Object.hasOwn(owners, area))
    return message.includes('of undefined') ? `Only ${owners[area]} has sdk.${area}.` : undefined;
  const verbs = Object.hasOwn(members, area) ? members[area] : undefined;
  if (verbs === undefined) return missing(`sdk.${area}`, 'sdk.', nearest(area, Object.keys(members)));
  if (verbs.length === 0 || verbs.includes(member)) return undefined;
  return missing(`sdk.${area}.${member}`, `sdk.${area}.`, nearest(member, verbs), verbs);
}

function missing(asked: string, before: string, meant: string | undefined, all: readonly string[] = []): string {
  const has = all.length > 0 ? ` It has ${all.join(', ')}.` : '';
  const did = meant === undefined ? has : ` Did you mean ${before}${meant}?`;
  return `There is no ${asked}.${did} See: fn docs reference/sdk`;
}
