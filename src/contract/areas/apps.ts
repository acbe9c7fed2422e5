import { admin, list, type Operation } from '../row.ts';

/** Apps, installed or not. */
export const appOperations = {
  'apps.list': {
    ...list,
    route: 'GET /apps',
    faces: ['rest', 'cli'],
    summary: 'List apps and whether they are installed',
    followUp: true,
  },
  'apps.install': {
    ...admin,
    by: 'machine',
    route: 'POST /apps/:app/install',
    faces: ['rest', 'cli'],
    summary: 'Install an app (runs its Custom App Setup), or update its settings',
    errors: ['app_unknown', 'settings_invalid', 'setup_failed'],
    emits: ['app.installed', 'app.settingsChanged'],
    needs: { app: 'text', installed: 'any' },
  },
  'apps.uninstall': {
    ...admin,
    by: 'machine',
    route: 'POST /apps/:app/uninstall',
    faces: ['rest', 'cli'],
    summary: 'Uninstall an app (runs its Custom App Setup)',
    errors: ['app_unknown', 'app_not_installed', 'setup_failed'],
    emits: ['app.uninstalled'],
    needs: { app: 'text', installed: 'any' },
  },
} as const satisfies Record<string, Operation>;
