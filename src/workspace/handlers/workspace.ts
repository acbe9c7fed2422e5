import { toTimestamp } from '../../std/index.ts';
import { exportSeed } from '../seed/export.ts';
import { nameOf } from '../settings.ts';
import type { HandlersOf } from './index.ts';

export const workspaceHandlers: HandlersOf<'workspace'> = {
  async 'workspace.show'(_input, tx, caller) {
    const { slug, baseUrl } = tx.facts;
    const token =
      caller.type === 'token' && caller.id !== null
        ? { id: caller.id, name: caller.name ?? '', scopes: [...caller.scopes] }
        : null;
    return {
      slug,
      name: await nameOf(tx),
      url: `${baseUrl()}/tenants/${slug}`,
      apiUrl: `${baseUrl()}/api/${slug}`,
      environment: 'local',
      token,
      now: toTimestamp(tx.now),
    };
  },

  async 'workspace.export'(_input, tx) {
    return exportSeed(tx);
  },
};
