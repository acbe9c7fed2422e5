import { limits, type Output, refusal } from '../../contract/index.ts';
import { buildOf } from '../sources/builds.ts';
import type { HandlersOf, MachineParts } from './parts.ts';

type Build = Output<'builds.list'>['items'][number];

export function buildHandlers({ apps }: MachineParts): HandlersOf<'builds'> {
  return {
    async 'builds.list'({ app, limit = limits.list.default, cursor }) {
      const sources = app === undefined ? await apps.all() : [await apps.requireSource(app)];
      const after = cursor === undefined ? '' : placeOf(cursor);
      const all: Build[] = [];
      for (const source of sources) {
        for (const info of await source.list()) all.push(buildOf(source.app, info));
      }
      const place = (build: Build) => `${build.app}/${build.function}`;
      const rest = all.filter((build) => place(build) > after).sort((a, b) => (place(a) < place(b) ? -1 : 1));
      const items = rest.slice(0, limit);
      const last = items.at(-1);
      return { items, nextCursor: last && rest.length > limit ? cursorOf(place(last)) : null };
    },
  };
}

const cursorOf = (place: string) => Buffer.from(place).toString('base64url');

function placeOf(cursor: string): string {
  const place = Buffer.from(cursor, 'base64url').toString();
  if (cursorOf(place) !== cursor) throw refusal('cursor_invalid');
  return place;
}
