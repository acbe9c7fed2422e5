import { functionTypes } from '../../contract/index.ts';
import type { DevEvent, Listening, Ready, ReadyFlow, ReadyFunction } from '../../dev/index.ts';
import { curlLine } from '../../emulator/index.ts';
import { alike, alsoBroken, problemTexts, reasonOf, someOf } from '../failures/alike.ts';
import { errorText, warningText } from '../failures/report.ts';
import type { Io } from '../io.ts';
import { logEntry, logText } from '../terminal/log-text.ts';
import { sanitise } from '../terminal/sanitise.ts';
import { table } from '../terminal/table.ts';
import { widthOf } from '../terminal/width.ts';
import { Bursts } from './bursts.ts';
import { loginLine } from './login-line.ts';
import type { RunLines } from './run-lines.ts';

type Built = Extract<DevEvent, { type: 'built' }>;
type BuildFailed = Extract<DevEvent, { type: 'build-failed' }>;
type Invoked = Extract<DevEvent, { type: 'invoked' }>;
type Refused = Extract<DevEvent, { type: 'refused' }>;

/** More of an address is not shown. */
const longestPath = 200;

/** Prints the events of `fn dev` on the terminal. */
export class DevTerminal {
  readonly #io: Io;
  readonly #circumstances: { version: string; command: string; debug: boolean };
  readonly #bursts = new Bursts((text) => this.#write(text));
  #waiting: string[] = [];

  constructor(io: Io, circumstances: { version: string; debug: boolean }) {
    this.#io = io;
    this.#circumstances = { ...circumstances, command: 'dev' };
  }

  listening({ url, openUrl, app, token, workspace, beyond, busyPort, inspectPort, practice }: Listening): void {
    const { out, style, errStyle } = this.#io;
    if (busyPort !== undefined)
      this.#say(`${errStyle.yellow('!')} Port ${busyPort} is busy; this is the next free one.`);
    if (beyond) {
      const place = beyond.length > 0 ? beyond.join(' or ') : 'this machine';
      this.#say(`${errStyle.yellow('!')} --host: anyone who can reach ${place} and has the token can run code here.`);
    }
    this.flush();
    out('');
    const place = practice ? 'a workspace to log in to, to deploy to and to break' : 'on the local workspace';
    out(`  ${style.bold(app)} ${style.dim(place)}`);
    out('');
    out(`  ${style.dim('Open')}       ${style.cyan(openUrl)}`);
    out(`  ${style.dim('API')}        ${url}/api/${workspace.slug}`);
    out(`  ${style.dim('Token')}      ${token}`);
    if (practice) out(`  ${style.dim('Log in')}     ${loginLine(workspace.url, practice.tokenFile)}`);
    if (inspectPort !== undefined)
      out(
        `  ${style.dim('Debugger')}   127.0.0.1:${inspectPort} ${style.dim('(chrome://inspect, or attach from your editor)')}`,
      );
    out('');
  }

  ready(ready: Ready, keys: boolean): void {
    const { out, style } = this.#io;
    this.flush();
    const rows = [...ready.functions.map(functionRow), ...ready.flows.map(flowRow), ...ready.agents.map(agentRow)];
    if (ready.practice)
      out('  What you deploy is live here. Log in with the line above, then run "fn deploy" in an app.');
    else if (rows.length === 0) out('  No functions yet. Create one with "fn init"; it is live at once.');
    else out(indent(this.#rows(rows)));
    const example = ready.example && curlLine(ready.example);
    if (example) {
      out('');
      out(`  ${style.dim(example)}`);
    }
    out('');
    const problems = ready.functions.flatMap(({ name, problem }) => (problem ? [{ name, error: problem }] : []));
    for (const text of problemTexts(alike(problems), this.#io.errStyle, this.#circumstances)) this.#say(text);
    this.#line(style.green('ready'), `in ${Math.round(ready.ms)} ms${keys ? style.dim('   press ? for keys') : ''}`);
  }

  built({ name, ms, again, mended, warnings, logs }: Built): void {
    const { errStyle } = this.#io;
    if (again || mended) this.#each(errStyle.green('reloaded'), name, ` ${errStyle.dim(`in ${Math.round(ms)} ms`)}`);
    for (const warning of warnings) this.#say(`${errStyle.dim(timeOfDay())} ${warningText(name, warning, errStyle)}`);
    for (const { level, text } of logs) this.log(name, level, text);
  }

  buildFailed({ name, error, serving }: BuildFailed): void {
    const served = `the last good version of ${name} until this is fixed`;
    const text = [
      errorText(error, this.#io.errStyle, this.#circumstances),
      ...(serving ? [this.#lineOf(this.#io.errStyle.dim('serving'), served)] : []),
    ].join('\n');
    this.#bursts.tell(reasonOf({ name, error }), { name, text }, (names) => alsoBroken(names, this.#io.errStyle), 0);
  }

  /** A function was added or removed. */
  noteEach(label: string, name: string): void {
    this.#each(this.#io.errStyle.dim(label), name);
  }

  invoked({ function: name, trigger, status, ms, error, request, httpStatus }: Invoked): void {
    const { errStyle } = this.#io;
    const how = request ? `${request.method} ` : '';
    const paint =
      status !== 'ok' ? errStyle.red : httpStatus !== undefined && httpStatus >= 400 ? errStyle.yellow : errStyle.green;
    const painted = paint(httpStatus === undefined ? status : String(httpStatus));
    this.#line(errStyle.dim(trigger), `${how}${name} ${painted} ${errStyle.dim(`${Math.round(ms)} ms`)}`);
    if (!error) return;
    this.#say(indent(error.stack ?? `${error.name}: ${error.message}`));
    if (error.hint !== undefined) this.#say(`  ${errStyle.cyan('→')} ${error.hint}`);
  }

  /** A request that reached no function. */
  refused({ request: { method, path }, error }: Refused): void {
    const { errStyle } = this.#io;
    const shown = path.length > longestPath ? `${path.slice(0, longestPath)}…` : path;
    this.#line(errStyle.dim('http'), `${method} ${sanitise(shown)} ${errStyle.yellow(`refused ${error.status}`)}`);
    this.#say(indent(errorText(error, errStyle, this.#circumstances)));
  }

  log(name: string, level: string, text: string): void {
    const { errStyle } = this.#io;
    this.#line(errStyle.dim(name), logEntry(logText(this.#io, level, text)));
  }

  held({ operation, input }: { operation: string; input: unknown }): void {
    this.#line(this.#io.errStyle.yellow('held back'), `${operation} ${JSON.stringify(input)}`);
  }

  /** A call of a tool waits for somebody. */
  confirmation({ tool, by, text, confirmationId }: Extract<DevEvent, { type: 'confirmation' }>): void {
    const { errStyle } = this.#io;
    const who = by === 'customer' ? 'the customer is asked in the conversation' : 'a person has to confirm it';
    this.#line(errStyle.yellow('waits'), `${tool}: ${who}`);
    this.#say(indent(sanitise(text)));
    if (by === 'human') this.#say(`  ${errStyle.cyan('→')} fn confirmation allow ${confirmationId}`);
  }

  /** A run of a flow or of an AI agent. */
  run({ label, text, below }: RunLines): void {
    this.#line(label, text);
    for (const line of below) this.#say(`  ${line}`);
  }

  failed(label: string, stack: string): void {
    this.#line(this.#io.errStyle.red(label), '');
    this.#say(indent(stack));
  }

  note(label: string, text: string): void {
    this.#line(this.#io.errStyle.dim(label), text);
  }

  secretsMissing(names: readonly string[]): void {
    const { errStyle } = this.#io;
    const have = names.length === 1 ? 'has' : 'have';
    this.#say(`${errStyle.yellow('warning')} ${names.join(', ')} ${have} no value in this workspace`);
    this.#say(`${errStyle.cyan('→')} fn secret set ${names[0]}`);
  }

  /** @param byKey whether keys are read */
  trustMissing(agents: readonly string[], byKey: boolean): void {
    const { errStyle } = this.#io;
    const run = agents.length === 1 ? 'runs' : 'run';
    this.#say(
      `${errStyle.yellow('question')} ${agents.join(', ')} ${run} with packages of this app, outside the sandbox, with all that you may do. Do you trust the code in this folder?`,
    );
    this.#say(`${errStyle.cyan('→')} ${byKey ? 'press t, or: ' : ''}fn trust`);
  }

  problem(error: unknown): void {
    this.#say(errorText(error, this.#io.errStyle, this.#circumstances));
  }

  keys(): void {
    const { errStyle } = this.#io;
    for (const [key, does] of Object.entries(keyHelp)) this.#say(`  ${errStyle.bold(key)}  ${does}`);
  }

  /** Writes everything that is pending. */
  flush(): void {
    const lines = this.#waiting;
    if (lines.length === 0) return;
    this.#waiting = [];
    this.#io.err(lines.join('\n'));
  }

  #line(label: string, text: string): void {
    this.#say(this.#lineOf(label, text));
  }

  #lineOf(label: string, text: string): string {
    return `${this.#io.errStyle.dim(timeOfDay())} ${label} ${text}`;
  }

  /** Prints an event that may concern many functions at once. */
  #each(label: string, name: string, more = ''): void {
    const text = this.#lineOf(label, `${name}${more}`);
    this.#bursts.tell(label, { name, text }, (names) => this.#lineOf(label, `${names.length} more: ${someOf(names)}`));
  }

  #say(text: string): void {
    this.#bursts.end();
    this.#write(text);
  }

  /** Writes the lines of one turn of the event loop together, so that thousands of lines per second take a few writes. */
  #write(text: string): void {
    if (this.#waiting.push(text) === 1) setImmediate(() => this.flush());
  }

  /** What, its name, and how to reach it, in columns as wide as the terminal allows. */
  #rows(rows: readonly Row[]): string {
    const { style, outIsTerminal, columns } = this.#io;
    const paint = (cell: string, column: number) =>
      column === 1 ? style.bold(cell) : column === 0 ? style.dim(cell) : cell;
    const before =
      Math.max(...rows.map(([type]) => widthOf(type))) + Math.max(...rows.map(([, name]) => widthOf(name)));
    const fits = ([, , how]: readonly string[]) => before + margins + widthOf(how ?? '') <= columns;
    if (!outIsTerminal || rows.every(fits)) return table(rows, paint);
    // An address that does not fit gets its own line.
    const lines = table(
      rows.map((row) => (fits(row) ? row : row.slice(0, 2))),
      paint,
    ).split('\n');
    return rows.map((row, i) => (fits(row) ? lines[i] : `${lines[i]}\n    ${sanitise(row[2])}`)).join('\n');
  }
}

type Row = readonly [what: string, name: string, how: string];

function functionRow({ name, type, url, methods, auth, problem }: ReadyFunction): Row {
  const how = url
    ? `${methods ? `${methods.join('|')} ` : ''}${url}${auth === 'public' ? ' (public)' : ''}`
    : `fn invoke ${name}`;
  return [type ? functionTypes[type].title : 'does not build', name, problem ? '' : how];
}

function flowRow({ name, trigger }: ReadyFlow): Row {
  return ['Flow', name, trigger === 'message.received' ? 'fn chat' : `fn flow run ${name}`];
}

const agentRow = ({ name }: { name: string }): Row => [
  'AI agent',
  name,
  `fn agent-run create --agent ${name} --follow`,
];

/** Margin of the list plus two gaps between its columns. */
const margins = 2 + 2 + 2;

const keyHelp = {
  o: 'open the workspace in the browser',
  i: 'invoke the last function again',
  r: 'restart: reload config, seed and functions',
  t: 'trust the code in this folder: packages of the app may run outside the sandbox',
  c: 'clear the screen',
  q: 'quit',
  '?': 'this list',
} as const;

export type DevKey = keyof typeof keyHelp;

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}

let shownSecond = -1;
let shownTime = '';

/** `12:34:56`, computed once a second, since there may be thousands of lines. */
function timeOfDay(): string {
  const now = Date.now();
  const second = Math.floor(now / 1000);
  if (second !== shownSecond) {
    shownSecond = second;
    shownTime = new Date(now).toTimeString().slice(0, 8);
  }
  return shownTime;
}
