import { parseBaseUrl } from '../../contract/index.ts';
import type { DevSession } from '../../dev/index.ts';
import { type Project, practiceProject, practiceSlug, trustFolder } from '../../project/index.ts';
import { forkEarly } from '../../sandbox/early.ts';
import { FnError, makeFolders, messageOf, UsageError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { type Dispatch, dispatcher } from '../dev/dispatch.ts';
import type { DevKey } from '../dev/terminal.ts';
import { clearScreen, readKeys } from '../terminal/keys.ts';
import { openInBrowser } from '../terminal/open-in-browser.ts';
import { hostName, pageOrigin } from '../values/allowed-from.ts';
import { waitsForOwner } from '../workspaces/waits-for-owner.ts';

export const command = defineCommand({
  description: `Runs the local workspace of this app: every function is live and reloads when you save, behind the same API as a real workspace. Nothing leaves this machine, and you need no account.

Server Side Methods answer at their documented path, cron jobs fire on schedule, each Custom View has a page, and the first start installs the app (runs its Custom App Setup). While a function does not build, its last good version keeps serving.

State is kept in .fn/ and survives restarts. Press ? for keys.

With --practice, it is a workspace to rehearse with instead, in any folder: log in to it, deploy to it and break it, as if it were a real one. It has a port and a state of its own, apart from every app's local workspace.`,
  options: {
    port: {
      flag: '--port <number>',
      summary: 'Use exactly this port; default: 4400, with --practice 4480, or the next free one',
      type: 'count',
    },
    host: {
      flag: '--host',
      summary: 'Listen beyond this machine. Anyone who can reach it and has the token can run code here',
    },
    allowHost: { flag: '--allow-host <name>', summary: 'Also answer to this host name (for a tunnel)', many: true },
    allowOrigin: { flag: '--allow-origin <origin>', summary: 'Let pages of this origin call the API', many: true },
    inspect: {
      flag: '--inspect [port]',
      summary: 'Debug functions with Chrome or an editor (default port 9230)',
      type: 'count',
      bare: true,
    },
    open: { flag: '--open', summary: 'Open the workspace in the browser' },
    seed: { flag: '--seed <file>', summary: 'Start with this seed instead of seed.json' },
    relay: {
      flag: '--relay',
      summary: 'Functions read from the workspace you are logged in to; their writes are held back and listed',
    },
    allow: { flag: '--allow <operation>', summary: 'With --relay: let this write through', many: true },
    otlp: {
      flag: '--otlp <url>',
      summary: 'Send traces of AI agents to this OTLP/HTTP collector; default: OTEL_EXPORTER_OTLP_ENDPOINT',
    },
    practice: { flag: '--practice', summary: 'A workspace to log in to and deploy to, without an account' },
    once: { flag: '--once', summary: 'Start, load every function, print them, and exit' },
  },
  examples: [
    { line: 'fn dev', does: 'serves on the first free port from 4400' },
    { line: 'fn dev --once', does: 'checks that everything starts, and exits', runs: true },
    {
      line: 'fn dev --relay --profile acme',
      does: 'runs this code on the data of a real workspace, and changes nothing there',
    },
    { line: 'fn dev --practice', does: 'serves a workspace for practice, and prints how to log in to it' },
    { line: 'fn dev --inspect', does: 'lets Chrome or VS Code attach; breakpoints work in your own sources' },
  ],
  json: 'One object per line: {type: ready, url, workspace, app, token, functions, login} once everything answers (login with --practice: the command that logs in); then built, build-failed, invoked, log, held, reloaded, stopped. If a build takes seconds, building, even before ready',
  see: ['dev', 'sandbox', 'debugging'],
  complete: { allow: 'writing operations' },
  async run(context, args) {
    if (args.port !== undefined && args.port > 65_535)
      throw new UsageError('port_invalid', `--port is ${args.port}`, {
        hint: 'Ports range from 1 to 65535; 0 picks a free one.',
      });
    const allowHosts = (args.allowHost ?? []).map(hostName);
    const allowOrigins = (args.allowOrigin ?? []).map(pageOrigin);
    const otlpEndpoint = collectorOf(args.otlp ?? context.env['OTEL_EXPORTER_OTLP_ENDPOINT']);
    // The sandbox's process starts while the project is read.
    forkEarly();
    const project = args.practice ? practiceIn(context, args) : await context.requireProject();
    const dispatch = dispatcher(context, args.once);
    const functionDoor = await relayed(context, dispatch, args);
    const { startDev } = await import('../../dev/index.ts');
    const session = await startDev({
      project,
      env: context.env,
      ...(args.practice && { practice: { slug: practiceSlug } }),
      ...(args.port !== undefined && { port: args.port, strictPort: true }),
      host: args.host,
      allowHosts,
      allowOrigins,
      ...(args.inspect !== undefined && { inspectPort: args.inspect === true ? 9230 : args.inspect }),
      ...(args.seed !== undefined && { seedFile: args.seed }),
      otlpEndpoint,
      ...(functionDoor && { functionDoor }),
      emit: dispatch.hear,
      onWait: () => context.io.err(waitsForOwner),
      signal: context.signal,
    });
    context.onEnd(() => session.close());
    if (args.open) openInBrowser(session.listening.openUrl);
    if (args.once) {
      await session.settled;
      return dispatch.broken() ? 2 : 0;
    }
    const quit = new AbortController();
    const stopKeys = context.ask.possible
      ? readKeys(keysOf(context, session, dispatch, quit), () => quit.abort())
      : () => {};
    context.onEnd(stopKeys);
    await Promise.race([
      session.settled.then(() => aborted(context.signal)),
      aborted(context.signal),
      aborted(quit.signal),
    ]);
    return undefined;
  },
});

/** @throws UsageError otlp_invalid */
function collectorOf(given: string | undefined): string | undefined {
  if (given === undefined || given === '') return undefined;
  const invalid = (why: string) =>
    new UsageError('otlp_invalid', `"${given.slice(0, 200)}" cannot be the address of a collector: ${why}`, {
      hint: 'It is the base address of OTLP over HTTP: --otlp http://127.0.0.1:4318',
    });
  if (!/^https?:\/\//i.test(given.trim())) throw invalid('it begins with neither http:// nor https://');
  try {
    return parseBaseUrl(given);
  } catch (error) {
    throw invalid(messageOf(error));
  }
}

/** The folder of the workspace for practice, which is made at its first start. */
function practiceIn({ env }: Context, args: { relay: boolean }): Project {
  if (args.relay) {
    throw new UsageError('flags_contradict', '--practice and --relay cannot be combined', {
      hint: '--relay runs the functions of an app, and a workspace for practice has only what is deployed to it.',
    });
  }
  const project = practiceProject(env);
  makeFolders(project.root);
  return project;
}

/** For --relay: the functions' door, and the output for held writes. */
async function relayed(context: Context, dispatch: Dispatch, args: { relay: boolean; allow?: string[] | undefined }) {
  const allow = args.allow ?? [];
  if (!args.relay) {
    if (allow.length === 0) return undefined;
    throw new UsageError('flags_contradict', '--allow only works with --relay', {
      hint: 'Without --relay, nothing is held back: functions write to the local workspace.',
    });
  }
  const { door, slug, baseUrl } = await context.target('remote');
  const { relayedFunctions } = await import('../workspaces/relay.ts');
  const relay = relayedFunctions(door, allow, (write) => dispatch.hear({ type: 'held', ...write }));
  context.io.err(
    `Functions read from ${slug} at ${baseUrl}; writes are held back${allow.length > 0 ? `, except ${allow.join(', ')}` : ''}.`,
  );
  return relay.functionDoor;
}

function keysOf(
  context: Context,
  session: DevSession,
  dispatch: Dispatch,
  quit: AbortController,
): Readonly<Record<DevKey, () => void>> {
  const { terminal } = dispatch;
  return {
    o: () => {
      const address = session.local.emulator.openUrl();
      openInBrowser(address);
      // For where there is no browser; the address printed at the start signs in once.
      terminal.note('open', address);
    },
    i: () => {
      const last = dispatch.lastInvoked();
      if (!last) return terminal.note('invoke', 'nothing has been invoked yet; from another terminal: fn invoke NAME');
      session.again(last).catch((error: unknown) => {
        if (!(error instanceof FnError)) throw error;
        // If there was an invocation, it was reported with its error.
        if (dispatch.lastInvoked() === last) terminal.problem(error);
      });
    },
    r: () => void session.restart(),
    t: () => {
      // Only as an answer: nobody trusts a folder by a slip.
      const folder = dispatch.untrusted();
      if (folder === undefined) return terminal.note('trust', 'no AI agent of this app needs it');
      terminal.note('trusted', trustFolder(folder, context.env));
    },
    c: () => clearScreen(context.io),
    q: () => quit.abort(),
    '?': () => terminal.keys(),
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
