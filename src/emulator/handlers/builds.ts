import type { Output } from '../../contract/index.ts';
import { buildOf } from '../sources/builds.ts';
import { pageByKey } from './page-by-key.ts';
import type { HandlersOf, MachineParts } from './parts.ts';

type Build = Output<'builds.list'>['items'][number];

export function buildHandlers({ apps }: MachineParts): HandlersOf<'builds'> {
  return {
    async 'builds.list'({ app, ...page }) {
      const sources = app === undefined ? await apps.all() : [await apps.requireSource(app)];
      const all: Build[] = [];
      for (const source of sources) all.push(...(await source.list()).map((info) => buildOf(source.app, info)));
      return pageByKey(all, (build) => `${build.app}/${build.function}`, page);
    },
  };
}
