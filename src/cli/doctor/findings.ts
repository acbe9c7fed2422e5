import type { Context } from '../context.ts';
import { appConfig, appFiles, appFunctions, editorTypes, localState, seedAndFixtures } from './app.ts';
import { bundler, node, openFiles, sandbox, userFolder } from './machine.ts';
import { port, runningDev, workspace } from './workspace.ts';

export interface Finding extends Found {
  readonly name: string;
}

export interface Found {
  readonly state: 'ok' | 'warning' | 'wrong';
  readonly message: string;
  /** What to do. */
  readonly hint?: string | undefined;
}

/** One check. Returns undefined if it does not apply; throws if something is wrong. */
export type Look = (context: Context) => Promise<Found | undefined>;

export function findings(online: boolean): readonly (readonly [name: string, look: Look])[] {
  return [
    ['Node', node],
    ['open files', openFiles],
    ['settings', userFolder],
    ['sandbox', sandbox],
    ['bundler', bundler],
    ['app', appConfig],
    ['functions', appFunctions],
    ['app files', appFiles],
    ['types', editorTypes],
    ['seed', seedAndFixtures],
    ['state', localState],
    ['fn dev', runningDev],
    ['port', port],
    ['workspace', workspace(online)],
  ];
}
