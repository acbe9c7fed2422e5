import { resolve } from 'node:path';
import { distrustFolder, requireProject, trustedFolders, trustFolder } from '../../project/index.ts';
import { UsageError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import { inLine } from '../terminal/sanitise.ts';

export const command = defineCommand({
  description: `Trusts the code of an app to run outside the sandbox. Functions never need this: they run in the sandbox. Harnesses made of an SDK do, because they load its package from the app’s node_modules, and that may do whatever you may.

The folder is remembered by its real path, in your own state folder, never in the app. In CI, FN_TRUST=1 trusts the app that the command works with.`,
  arguments: { folder: { summary: 'Folder of the app; default: the one around this folder', optional: true } },
  options: {
    list: { flag: '--list', summary: 'List the folders that are trusted' },
    remove: { flag: '--remove', summary: 'Trust the folder no more' },
  },
  examples: [
    { line: 'fn trust', does: 'trusts this app' },
    { line: 'fn trust --list', does: 'lists the folders that are trusted', runs: true },
    { line: 'fn trust --remove', does: 'trusts this app no more' },
  ],
  json: '{folder, trusted}, or {items: [folder]} with --list',
  see: ['harnesses'],
  async run({ io, env, cwd }, { folder, list, remove }) {
    if (list) {
      if (remove || folder !== undefined) {
        throw new UsageError('flags_contradict', '--list lists all folders', { hint: 'Leave out the rest.' });
      }
      const items = trustedFolders(env);
      io.results({ items }, 'No folder is trusted. Trust one: fn trust', () => items.map(inLine).join('\n'));
      return;
    }
    if (remove) {
      // An app that is gone can be named, too.
      const path = resolve(cwd, folder ?? (await requireProject(cwd)).root);
      const was = distrustFolder(path, env);
      io.result({ folder: path, trusted: false }, () =>
        was ? `Trusted no more: ${inLine(path)}` : `It was not trusted: ${inLine(path)}`,
      );
      return;
    }
    const path = trustFolder((await requireProject(resolve(cwd, folder ?? '.'))).root, env);
    io.result({ folder: path, trusted: true }, () => `Trusted: ${inLine(path)}`);
  },
});
