import { applyPull, DeployState, inTheWay, planPull, readLive } from '../../deploy/index.ts';
import { resolveFunctionName } from '../../project/index.ts';
import { nearest, UsageError, WorkspaceError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import { inLine } from '../terminal/sanitise.ts';
import { table } from '../terminal/table.ts';
import { workspaceKey } from '../workspaces/choose-workspace.ts';
import { remoteClient } from '../workspaces/remote-client.ts';

export const command = defineCommand({
  description: `Downloads the live functions into this folder. The author's own sources come from the source maps; a function that was deployed without source maps comes as its bundle.

You never lose local edits: if any file differs, fn writes nothing. With --force it replaces the files and keeps the old ones in .fn/pulled-over/. Whatever the server sends, fn writes source files below functions/ only: code that lies elsewhere is listed, and tests, settings of tools and package files are refused, because tools on your machine would execute them outside of the sandbox. Read such a file with --print before you keep it.`,
  arguments: { names: { summary: 'Functions; default: all', many: true, optional: true } },
  options: {
    dryRun: { flag: '-n, --dry-run', summary: 'Show what would be written' },
    force: { flag: '--force', summary: 'Replace files that differ; the old ones go to .fn/pulled-over/' },
    print: { flag: '--print <path>', summary: 'Print one file of the live sources and write nothing' },
  },
  examples: [
    { line: 'fn pull --dry-run', does: 'shows what differs' },
    { line: 'fn pull', does: 'writes what is missing here' },
    { line: 'fn pull --print lib/prices.js', does: 'prints a file that lies outside of functions/' },
  ],
  json: '{deployment, files: [{path, kind: create|update|same|conflict, bytes}], bundled, missing: [{path, importedBy}], elsewhere: [{path, kind, bytes}], refused: [{path, why}], backup}',
  see: ['deploy'],
  complete: { names: 'functions' },
  async run(context, { names, dryRun, force, print }) {
    const { io, signal } = context;
    const project = await context.requireProject();
    const { client, access } = await remoteClient(context);
    const live = await readLive(client, project.app, signal);
    if (live === undefined)
      throw new WorkspaceError('deployment_not_found', 404, `Nothing of ${project.app} is live in ${access.slug}`);
    const there = live.deployment.manifest.map(({ path }) => ({ name: path.replace(/\.js$/, ''), path }));
    const only = names?.length ? names.map((name) => resolveFunctionName(there, name).path) : undefined;
    const plan = await planPull(client, { app: project.app, live, root: project.root, only, signal });
    const { files, bundled, missing, elsewhere, refused } = plan;
    if (print !== undefined) {
      const text = plan.sent.get(print);
      if (text === undefined) throw notLive(print, [...plan.sent.keys()]);
      if (io.json) io.result({ deployment: live.deployment.id, path: print, text }, () => undefined);
      else await io.write(Buffer.from(text));
      return 0;
    }
    const lost = elsewhere.filter(({ kind }) => kind !== 'same');
    for (const { path, kind } of lost) {
      const state = kind === 'create' ? 'is missing here' : 'differs here';
      io.err(`${io.errStyle.yellow('not written')} ${inLine(path)}: it lies outside of functions/ and ${state}`);
    }
    for (const { path, why } of refused) io.err(`${io.errStyle.yellow('not written')} ${inLine(path)}: ${why}`);
    for (const { path, importedBy } of missing) {
      io.err(`${io.errStyle.yellow('missing')} ${path}, imported by ${importedBy}: what is live does not hold it`);
    }
    const { id, fingerprint } = live.deployment;
    const backup = dryRun ? undefined : applyPull(plan, project.root, project.stateDir, force).backup;
    if (!dryRun && only === undefined && refused.length + lost.length === 0) {
      await new DeployState(project.stateDir, workspaceKey(access), project.app, context.env).write({
        last: { id, fingerprint, at: new Date().toISOString() },
      });
    }
    io.result({ deployment: id, files, bundled, missing, elsewhere, refused, backup: backup ?? null }, () => {
      const rows = files.filter(({ kind }) => kind !== 'same').map(({ kind, path }) => [kind, path]);
      const same = files.length - rows.length;
      const lines = rows.length === 0 ? [] : [table(rows)];
      if (bundled.length > 0) lines.push(`${bundled.length} without sources, as bundles: ${bundled.join(', ')}`);
      const blocked = dryRun ? inTheWay(plan, force).length : 0;
      lines.push(
        blocked > 0
          ? `Nothing would be written, because ${blocked} of them ${blocked === 1 ? 'differs' : 'differ'} here${force ? '' : '; --force replaces what differs'} (${id}).`
          : `${rows.length} ${dryRun ? 'would be written' : 'written'}, ${same} the same as here (${id}).`,
      );
      if (lost.length > 0)
        lines.push(`${lost.length} outside of functions/ not written. Read such a file with: fn pull --print PATH`);
      if (backup !== undefined) lines.push(`What was replaced is in ${backup}`);
      return lines.join('\n');
    });
    return refused.length + lost.length > 0 ? 10 : 0;
  },
});

function notLive(path: string, paths: readonly string[]): UsageError {
  const near = nearest(path, paths);
  return new UsageError('file_not_live', `--print: what is live holds no file ${path}`, {
    hint: near === undefined ? '"fn pull --dry-run" lists the files.' : `Did you mean ${near}?`,
  });
}
