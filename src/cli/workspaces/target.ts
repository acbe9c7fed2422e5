import { openClient } from '../../client/index.ts';
import type { Project } from '../../project/index.ts';
import { FnError, ProjectError, UnreachableError, UsageError } from '../../std/index.ts';
import type { Context, Target } from '../context.ts';
import { chooseWorkspace } from './choose-workspace.ts';

/**
 * The workspace that a command uses: a remote one if one is named (`--profile`, FN_BASE_URL, the profile chosen for the app, or outside an app
 * the one in use), or else the running `fn dev` of this app, or else the app's workspace, opened in this process.
 * @param where `remote`: if none is named, the only login, or the one that the person chooses
 * @throws AccessError if `where` is `remote` without a login; UsageError if it is `local` and a profile is given
 */
export async function openTarget(context: Context, where: 'any' | 'remote' | 'local'): Promise<Target> {
  const { flags } = context;
  if (where !== 'local') {
    const access = await chooseWorkspace(context, where === 'remote');
    if (access !== undefined) {
      return askingToSend(context, await clientTarget(context, 'remote', access, access.profile));
    }
  } else if (flags.profile !== undefined && flags.profile !== 'local') {
    throw new UsageError('local_only', 'This command only works on the local workspace', {
      hint: 'Omit --profile.',
    });
  }
  const project = await context.project();
  if (project === undefined) throw await nowhere(context);
  // Before anything in it is believed.
  await context.requireProject();
  const dev = await findDev(context, project);
  if (dev !== undefined) return dev;
  try {
    const { openEmbedded } = await import('./embedded.ts');
    return await openEmbedded(context, project);
  } catch (error) {
    // A `fn dev` that was starting may have it.
    const inUse = error instanceof FnError && error.code === 'workspace_in_use';
    const started = inUse ? await findDev(context, project) : undefined;
    if (started === undefined) throw error;
    return started;
  }
}

/** The running `fn dev` of the app, if there is one. */
export async function findDev(context: Context, project: Project): Promise<Target | undefined> {
  const { findRunningDev, isSuspended, localToken } = await import('../../emulator/sources/local/state-files.ts');
  const dev = await findRunningDev(project.stateDir);
  if (dev === undefined) return undefined;
  if (isSuspended(dev.pid)) {
    throw new UnreachableError('dev_suspended', `"fn dev" of this app is suspended (process ${dev.pid})`, {
      hint: 'Type "fg" in its terminal to resume it; then Ctrl-C stops it.',
    });
  }
  // Only the port is taken from the file, so the token is sent to this machine in any case.
  const workspace = { baseUrl: `http://127.0.0.1:${dev.port}`, slug: dev.slug, token: localToken(project.stateDir) };
  return await clientTarget(context, 'dev', workspace, undefined);
}

/** Asks before the first send to customers. */
function askingToSend(context: Context, target: Target): Target {
  if (!context.ask.possible) return target;
  const ask = async () => (await import('./ask-before-sending.ts')).askBeforeSending(context, target);
  return {
    ...target,
    door: async (name, input, options) => {
      const { sendsToCustomers } = await import('./ask-before-sending.ts');
      if (sendsToCustomers(name)) await ask();
      return await target.door(name, input, options);
    },
    request: async (request) => {
      const { requestSends } = await import('./ask-before-sending.ts');
      if (requestSends(request.method, request.path)) await ask();
      return await target.request(request);
    },
  };
}

interface RemoteAccess {
  readonly baseUrl: string;
  readonly slug: string;
  readonly token?: string | undefined;
  readonly routes?: Readonly<Record<string, string>> | undefined;
}

async function clientTarget(
  context: Context,
  kind: 'remote' | 'dev',
  access: RemoteAccess,
  profile: string | undefined,
): Promise<Target> {
  const { baseUrl, slug, token, routes } = access;
  const client = openClient({ baseUrl, slug, token, routes, env: context.env, userAgent: `fn/${context.version}` });
  context.onFailure(client.misfit);
  return {
    kind,
    slug,
    baseUrl,
    profile,
    // Ctrl-C aborts every request, even if a command does not handle it.
    door: (name, input, options) => client(name, input, { signal: context.signal, ...options }),
    client,
    request: client.request,
    close: client.close,
  };
}

/** The error if there is neither an app around this folder nor a login. */
async function nowhere(context: Context): Promise<ProjectError> {
  const { hintOfAppsBelow } = await import('../../project/index.ts');
  const below = await hintOfAppsBelow(context.cwd, context.startedIn);
  return new ProjectError(
    'project_missing',
    `There is no app in ${context.cwd} or above it, and no remote workspace is selected`,
    {
      hint:
        below ??
        'Change to an app’s folder (or create an app with "fn init"), or log in and choose a workspace with --profile NAME.',
    },
  );
}
