import { relative } from 'node:path';
import {
  annotation,
  commitOf,
  type DeployOptions,
  type DeployReport,
  DeployState,
  deploy,
  masked,
  reportToGitHub,
} from '../../deploy/index.ts';
import { listFunctionFiles, onlyLogin, type Project, resolveFunctionName } from '../../project/index.ts';
import { forkEarly } from '../../sandbox/early.ts';
import {
  ConflictError,
  FnError,
  InterruptedError,
  isGitHubActions,
  isInside,
  lazy,
  toSlashes,
  UsageError,
} from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { builtFunctions } from '../functions/built-functions.ts';
import { changesText } from '../functions/changes-text.ts';
import { bytesText } from '../terminal/bytes-text.ts';
import { workspaceKey } from '../workspaces/choose-workspace.ts';
import { remoteClient } from '../workspaces/remote-client.ts';

export const command = defineCommand({
  description: `Deploys the functions of this app to the workspace you are logged in to: builds them, loads every bundle once in the sandbox, compares with what is live, uploads what is missing, and switches all functions at once. A second run changes nothing. After any interruption the same command continues; a deploy is never partly live.

A live function without a file in this folder stays live, unless you pass --prune. An older commit does not replace a newer one without --allow-older, and a version that somebody else deployed since this folder last did is not overwritten without --force.

In CI it asks nothing: set FN_BASE_URL, FN_WORKSPACE and FN_TOKEN. On GitHub Actions problems are shown on their source lines, and a summary and the outputs deployment, previous, changed and outcome are written.`,
  arguments: { names: { summary: 'Functions; default: all', many: true, optional: true } },
  options: {
    dryRun: { flag: '-n, --dry-run', summary: 'Show the plan; change nothing' },
    prune: { flag: '--prune', summary: 'Delete live functions that have no file in this folder' },
    message: { flag: '-m, --message <text>', summary: 'Description of this deployment' },
    minify: { flag: '--minify', summary: 'Smaller code; stack traces still point to your sources' },
    force: { flag: '--force', summary: 'Overwrite a version that somebody else deployed' },
    allowOlder: { flag: '--allow-older', summary: 'Let an older commit replace a newer one' },
    yes: { flag: '-y, --yes', summary: 'Do not ask for confirmation' },
  },
  examples: [
    { line: 'fn deploy', does: 'shows the plan, asks, and deploys' },
    { line: 'fn deploy --dry-run', does: 'shows the plan' },
    {
      line: 'fn deploy api/orders/find --message "faster lookup"',
      does: 'changes one function and leaves the others as they are',
    },
    { line: 'FN_BASE_URL=https://app.example.com FN_WORKSPACE=acme FN_TOKEN=… fn deploy --json', does: 'in CI' },
  ],
  json: '{outcome: done|unchanged|dry_run|declined, app, workspace, deployment, previous, fingerprint, changes: [{path, kind, type, bytesBefore, bytesAfter, code, config}], uploaded: {files, bytes}, commit, message, waitsForInstall}',
  see: ['deploy', 'ci'],
  complete: { names: 'functions' },
  async run(context, args) {
    const { io, env, signal } = context;
    // The sandbox's process starts while the project is read and the compiler loads.
    forkEarly();
    const project = await context.requireProject();
    if (args.names?.length && args.prune) {
      throw new UsageError('flags_contradict', '--prune cannot be combined with function names', {
        hint: 'With names, only those functions are deployed. Use one or the other.',
      });
    }
    const { client, access } = await remoteClient(context);
    const namedProfile = access.from === '--profile' ? access.profile : undefined;
    const onGitHub = isGitHubActions(env);
    const hidden = [access.token];
    const note = (error: FnError) => {
      if (onGitHub) io.annotate(masked(annotation(error, prefixOf(project, env)), hidden));
    };
    const names = args.names?.length ? await fullNames(project, args.names) : undefined;
    const wishes = { names, profile: access.profile, minify: args.minify };
    const building = lazy(() => builtFunctions(context, project, wishes, note));
    // Started at once; a failure is reported where the result is awaited.
    building().catch(() => {});
    const options: DeployOptions = {
      client,
      app: project.app,
      functions: building,
      state: new DeployState(project.stateDir, workspaceKey(access), project.app, context.env),
      only: names?.map((name) => `${name}.js`),
      prune: args.prune,
      dryRun: args.dryRun,
      force: args.force,
      allowOlder: args.allowOlder,
      message: args.message,
      commit: commitOf(project.root),
      secrets: project.config.secrets ?? [],
      namedProfile,
      signal,
      agree:
        args.yes || !context.ask.possible
          ? undefined
          : (changes) => agree(context, changesText(io, changes, names !== undefined), access.slug, project.app),
      onEvent(event) {
        if (event.type === 'uploaded')
          io.progress(`uploaded ${event.done} of ${event.of} files (${bytesText(event.bytes)})`);
        if (event.type === 'checking') io.err(`${event.why}; checking what is live …`);
        if (event.type === 'activating') {
          io.progress('switching');
          context.ifCutOff({
            exitCode: 8,
            message:
              'The switch was requested, so either the old or the new version is live. Run the same command again.',
          });
        }
      },
    };
    let report: DeployReport;
    try {
      report = await deployAsked(context, options, args.yes);
    } catch (error) {
      if (error instanceof FnError && error.location === undefined) note(error);
      throw error;
    } finally {
      context.ifCutOff(undefined);
      io.progress('');
    }
    if (onGitHub) reportToGitHub(report, env, hidden);
    io.result(report, () => reportText(context, report, names !== undefined));
    // Without its name, another command of this app would go to the local workspace.
    const named = access.from === '--profile' || access.from === onlyLogin ? access.profile : undefined;
    if (report.waitsForInstall) io.err(installFirst(report, named));
    return report.outcome === 'declined' ? 130 : 0;
  },
});

/** On a terminal, somebody else's changes are shown and may be overwritten; elsewhere they stop the deploy. */
async function deployAsked(context: Context, options: DeployOptions, yes: boolean): Promise<DeployReport> {
  try {
    return await deploy(options);
  } catch (error) {
    const drift = error instanceof ConflictError && error.code === 'drift';
    if (!drift || yes || !context.ask.possible) throw error;
    context.io.err(`${error.message}\n${error.hint}`);
    if (!(await context.ask.confirm({ message: 'Overwrite it?', flag: '--force', default: false })))
      throw new InterruptedError('declined', 'Stopped; nothing was changed');
    return await deploy({ ...options, force: true });
  }
}

async function agree(context: Context, changes: string, slug: string, app: string): Promise<boolean> {
  context.io.err(changes);
  return await context.ask.confirm({ message: `Deploy ${app} to ${slug}?`, flag: '--yes', default: true });
}

function reportText(context: Context, report: DeployReport, named: boolean): string {
  const { io } = context;
  const { outcome, app, workspace, deployment, previous, changes, uploaded, commit } = report;
  const dirty = commit?.dirty ? '\nThere are uncommitted changes.' : '';
  if (outcome === 'unchanged') return `${app} in ${workspace} is up to date (${deployment}).`;
  if (outcome === 'declined') return 'Nothing was changed.';
  const table = changesText(io, changes, named);
  if (outcome === 'dry_run') {
    const moves = changes.some(({ kind }) => kind !== 'unchanged' && kind !== 'keep');
    return `${table}\n${moves ? `Nothing was changed (--dry-run); ${deployment === null ? 'nothing is live yet' : `${deployment} is live`}.` : 'Nothing would change.'}${dirty}`;
  }
  const back = previous === null ? '' : ` To go back: fn rollback ${previous}`;
  return `${table}\n${io.style.green('Live')}: ${deployment} in ${workspace} (${uploaded.files} ${uploaded.files === 1 ? 'file' : 'files'} uploaded, ${bytesText(uploaded.bytes)}).${back}${dirty}`;
}

/** Warns that live functions cannot be reached yet: a deploy from CI would otherwise notice only by a 404. */
function installFirst({ app, workspace }: DeployReport, profile: string | undefined): string {
  const there = profile === undefined ? '' : ` --profile ${profile}`;
  return `${app} is not installed in ${workspace}: until it is, its functions answer app_not_installed.
→ Install it once, with what its setup asks for: fn app install ${app}${there} --settings '{…}'`;
}

async function fullNames(project: Project, asked: readonly string[]): Promise<string[]> {
  const files = await listFunctionFiles(project);
  return asked.map((name) => resolveFunctionName(files, name).name);
}

/** Path of the app in the repository, so that annotations find their file. */
function prefixOf(project: Project, env: Context['env']): string {
  const workspace = env['GITHUB_WORKSPACE'];
  if (!workspace) return '';
  if (workspace === project.root || !isInside(workspace, project.root)) return '';
  return `${toSlashes(relative(workspace, project.root))}/`;
}
