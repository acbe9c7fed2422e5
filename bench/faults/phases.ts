import type { Passing } from './between.ts';

/** Requests of a deploy, in their order. */
export const requests = ['read', 'create', 'upload', 'activate', 'read back'] as const;
export type Request = (typeof requests)[number];

/** A moment of a deploy: `arrived`, and not carried out; `done`, and not answered; `answered`, and `fn` works by itself. */
export type Moment = 'start' | `${Request}: ${'arrived' | 'done' | 'answered'}`;

export const moments: readonly Moment[] = [
  'start',
  ...requests.flatMap((one): Moment[] => [`${one}: arrived`, `${one}: done`, `${one}: answered`]),
];

/** What `fn` does after an answer that it works on for a while. */
const afterwards: Partial<Record<Moment, string>> = {
  start: 'starting',
  'read: answered': 'building',
  'activate: answered': 'after the switch',
  'read back: answered': 'before the journal and the report',
};

export const takesTime = (moment: Moment): boolean => moment in afterwards;
export const phaseOf = (moment: Moment): string => afterwards[moment] ?? moment;

/** @param activated the switch was answered before */
export function nameOf({ method, path }: Passing, activated: boolean): Request {
  if (method === 'PUT') return 'upload';
  if (method === 'POST') return path.endsWith('/activate') ? 'activate' : 'create';
  return activated ? 'read back' : 'read';
}

/** How often each key came. */
export class Tally {
  readonly counts: Record<string, number> = {};

  add(key: string): void {
    this.counts[key] = (this.counts[key] ?? 0) + 1;
  }
}
