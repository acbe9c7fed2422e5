import { findRunningDev } from '../../emulator/sources/local/state-files.ts';
import { type AskedFor, chooseAccess, onlyLogin, resolvePlace } from '../../project/index.ts';
import { messageOf, UsageError } from '../../std/index.ts';
import type { Context } from '../context.ts';
import type { Found, Look } from './findings.ts';

/** Default port of `fn dev`. */
const usualPort = 4400;

export async function runningDev(context: Context): Promise<Found | undefined> {
  const project = await context.project();
  if (project === undefined) return undefined;
  const dev = await findRunningDev(project.stateDir);
  if (dev === undefined)
    return { state: 'ok', message: 'not running for this app; commands open its workspace themselves' };
  try {
    const target = await context.target('local');
    const { slug } = await target.door('workspace.show', {}, { signal: AbortSignal.timeout(3_000) });
    return { state: 'ok', message: `running at ${dev.url} (process ${dev.pid}), workspace ${slug}` };
  } catch (error) {
    return {
      state: 'wrong',
      message: `process ${dev.pid} runs this app but does not answer at ${dev.url}: ${messageOf(error)}`,
      hint: `Stop it (Ctrl-C in its terminal, or: kill ${dev.pid}) and start "fn dev" again.`,
    };
  }
}

export async function port(context: Context): Promise<Found | undefined> {
  const project = await context.project();
  if (project !== undefined && (await findRunningDev(project.stateDir))?.port === usualPort) return undefined;
  const code = await listenError(usualPort);
  if (code === undefined) return { state: 'ok', message: `${usualPort} is free` };
  return {
    state: 'warning',
    message:
      code === 'EADDRINUSE' ? `${usualPort} is taken by another program` : `${usualPort} cannot be used (${code})`,
    hint: '"fn dev" uses the next free one and prints it; --port N chooses one.',
  };
}

function listenError(wanted: number): Promise<string | undefined> {
  const { createServer } = process.getBuiltinModule('node:net');
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(wanted, '127.0.0.1', () => server.close(() => resolve(undefined)));
  });
}

export function workspace(online: boolean): Look {
  return async (context) => {
    const asked = { env: context.env, profile: context.flags.profile, folder: context.cwd };
    const place = resolvePlace(asked) ?? deployPlace(asked);
    if (place === undefined) return { state: 'ok', message: 'commands use the local workspace' };
    const where = `${place.slug} at ${place.baseUrl} (${place.profileName ? `profile ${place.profileName}` : place.from})`;
    const use = place.from === onlyLogin ? 'commands use the local workspace, and fn deploy' : 'commands use';
    const access = chooseAccess({ ...asked, must: true });
    if (access?.warnings[0] !== undefined)
      return { state: 'warning', message: access.warnings[0], hint: 'Create a new token and run "fn login" again.' };
    if (!online) return { state: 'ok', message: `${use} ${where}; to check that it answers: fn doctor --online` };
    const { door } = await context.target('remote');
    const shown = await door('workspace.show', {}, { signal: AbortSignal.timeout(10_000) });
    const scopes = shown.token?.scopes.join(', ') ?? 'no token';
    return { state: 'ok', message: `${where} answers; the token may: ${scopes}` };
  };
}

/** Where a deploy would go, if that is clear. */
function deployPlace(asked: AskedFor) {
  try {
    return resolvePlace({ ...asked, must: true });
  } catch (error) {
    if (error instanceof UsageError && error.code === 'workspace_ambiguous') return undefined;
    throw error;
  }
}
