import type { Output } from '../../contract/index.ts';
import type { Query } from '../model/store.ts';
import { about, call, store, useShown } from './app.ts';

export type LiveFunction = Output<'functions.list'>['items'][number] & { readonly isLocal: boolean };

interface Functions {
  /** The app in development first, then the others. */
  readonly items: readonly LiveFunction[];
  readonly isRead: boolean;
}

/** Deployments and installed apps; builds are told live. */
const concerns = about(/^(?:app|function\.deployed|live\.build)/);

async function readAll(): Promise<LiveFunction[]> {
  const found: LiveFunction[] = [];
  const apps = (await call('apps.list', { limit: 200 })).items;
  for (const { app, builtIn } of [...apps].sort((a, b) => Number(a.builtIn) - Number(b.builtIn))) {
    let cursor: string | undefined;
    do {
      const page = await call('functions.list', { app, limit: 200, ...(cursor !== undefined && { cursor }) });
      found.push(...page.items.map((item) => ({ ...item, isLocal: !builtIn && item.version === 'local' })));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }
  return found;
}

/** Every function of every app. */
export function useFunctions(): Functions {
  const query: Query<LiveFunction[]> = store.named('all functions', readAll, concerns);
  const items = useShown(query).data.value;
  return { items: items ?? [], isRead: items !== undefined };
}
