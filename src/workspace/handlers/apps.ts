import type { Output } from '../../contract/index.ts';
import { refusal } from '../../contract/index.ts';
import { toTimestamp } from '../../std/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import { pageOf } from '../lists/page.ts';
import type { AppState, Json } from '../types.ts';
import type { HandlersOf } from './index.ts';

type App = Output<'apps.list'>['items'][number];

export const appHandlers: HandlersOf<'apps'> = {
  async 'apps.list'(input, tx) {
    const page = await pageOf(
      tx,
      'apps.list',
      input,
      (after, limit) =>
        tx.db
          .selectFrom('app')
          .selectAll()
          .$if(after !== undefined, (query) => query.where('app', '>', after?.id ?? ''))
          .orderBy('app')
          .limit(limit)
          .execute(),
      (row) => ({ key: 0, id: row.app }),
    );
    const items = page.rows.map((row) => ({
      app: row.app,
      installed: row.installed === 1,
      builtIn: row.built_in === 1,
      version: row.live ?? row.version,
      functions: row.functions,
      settings: fromJson<App['settings']>(row.settings),
      installedAt: row.installed_at === null ? null : toTimestamp(row.installed_at),
    }));
    return { items, nextCursor: page.nextCursor };
  },
};

/** Registers an app; an existing entry stays unchanged. */
export async function registerApp(tx: Tx, app: string, builtIn: boolean): Promise<void> {
  await tx.db
    .insertInto('app')
    .values({
      app,
      built_in: builtIn ? 1 : 0,
      installed: 0,
      settings: '{}',
      version: null,
      functions: 0,
      live: null,
      installed_at: null,
    })
    .onConflict((conflict) => conflict.column('app').doNothing())
    .execute();
}

async function stateOfApp(tx: Tx, app: string): Promise<AppState> {
  const row = await tx.db.selectFrom('app').selectAll().where('app', '=', app).executeTakeFirst();
  return {
    installed: row?.installed === 1,
    settings: fromJson<Record<string, Json>>(row?.settings ?? '{}'),
    version: row?.version ?? null,
  };
}

export async function markInstalled(
  tx: Tx,
  app: string,
  state: { settings: Record<string, unknown>; version: string | null },
): Promise<void> {
  await registerApp(tx, app, false);
  const settings = JSON.stringify(state.settings);
  const before = await stateOfApp(tx, app);
  await tx.db
    .updateTable('app')
    .set({ installed: 1, settings, version: state.version, ...(before.installed ? {} : { installed_at: tx.now }) })
    .where('app', '=', app)
    .execute();
  await tx.announce({
    type: 'app.installed',
    data: { app: { app, version: state.version } },
    previous: { installed: before.installed, version: before.version },
  });
  // Without the settings themselves: events are delivered to others.
  if (before.installed && JSON.stringify(before.settings) !== settings) {
    await tx.announce({ type: 'app.settingsChanged', data: { app: { app, version: state.version } } });
  }
}

export async function markUninstalled(tx: Tx, app: string): Promise<void> {
  const before = await stateOfApp(tx, app);
  if (!before.installed) throw refusal('app_not_installed', `${app} is not installed`);
  await tx.db
    .updateTable('app')
    .set({ installed: 0, settings: '{}', version: null, installed_at: null })
    .where('app', '=', app)
    .execute();
  await tx.announce({ type: 'app.uninstalled', data: { app: { app, version: before.version } } });
}

/** @throws WorkspaceError app_unknown */
export async function requireApp(tx: Tx, app: string): Promise<void> {
  const row = await tx.db.selectFrom('app').select('app').where('app', '=', app).executeTakeFirst();
  if (row === undefined) throw refusal('app_unknown', `There is no app ${app}`);
}
