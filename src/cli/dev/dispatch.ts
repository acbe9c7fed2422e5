import type { DevEvent } from '../../dev/index.ts';
import type { Context } from '../context.ts';
import { longBuilds } from '../functions/tell-built.ts';
import { devJson } from './json.ts';
import { agentRunLines, flowRunLines } from './run-lines.ts';
import { DevTerminal } from './terminal.ts';

/** How many events are held back during the start; with more, the start counts as over. */
const mostHeld = 1000;

export interface Dispatch {
  hear(event: DevEvent): void;
  /** Whether a function does not build, or the app's seed or setup has failed. */
  broken(): boolean;
  /** Id of the last invocation. */
  lastInvoked(): string | undefined;
  /** The folder for which trust was asked. */
  untrusted(): string | undefined;
  readonly terminal: DevTerminal;
}

/** Routes every event to its receivers; the only place that does. */
export function dispatcher(context: Context, once: boolean): Dispatch {
  const { io } = context;
  const terminal = new DevTerminal(io, { version: context.version, debug: context.flags.debug });
  let broken = false;
  let last: string | undefined;
  let untrusted: string | undefined;
  /** Events before the end of the start message, held back so that nothing is printed in the middle of it. */
  let held: DevEvent[] | undefined = [];

  function hear(event: DevEvent): void {
    if (event.type === 'ready') broken ||= event.functions.some(({ problem }) => problem !== undefined);
    if (event.type === 'reload-failed' || event.type === 'setup-failed') broken = true;
    if (event.type === 'invoked') last = event.invocationId;
    if (event.type === 'trust-missing') untrusted = event.folder;
    const atOnce = event.type === 'listening' || event.type === 'ready' || event.type === 'building';
    if (held === undefined || atOnce) say(event);
    else if (io.json || event.type !== 'build-failed') held.push(event); // for people `ready` shows every problem at once
    if (event.type === 'ready' || event.type === 'stopped' || (held?.length ?? 0) > mostHeld) sayHeld();
  }

  function sayHeld(): void {
    const events = held ?? [];
    held = undefined;
    for (const event of events) say(event);
  }

  function say(event: DevEvent): void {
    if (io.json) {
      const object = devJson(event);
      if (object) io.item(object, () => undefined);
      return;
    }
    switch (event.type) {
      case 'listening':
        return terminal.listening(event);
      case 'ready':
        return terminal.ready(event, context.ask.possible && !once);
      case 'built':
        return terminal.built(event);
      case 'build-failed':
        return terminal.buildFailed(event);
      case 'building':
        return terminal.note('still building', longBuilds(event));
      case 'added':
        return terminal.noteEach('new', event.name); // whether it builds is told by what follows
      case 'removed':
        return terminal.noteEach('gone', event.name);
      case 'log':
        return terminal.log(event.function, event.level, event.text);
      case 'invoked':
        return terminal.invoked(event);
      case 'refused':
        return terminal.refused(event);
      case 'flow-run':
        return terminal.run(flowRunLines(event.run, io));
      case 'agent-run':
        return terminal.run(agentRunLines(event.run, io));
      case 'held':
        return terminal.held(event);
      case 'reloaded':
        return terminal.note('reloaded', event.what === 'config' ? 'fn.config.json' : 'seed.json');
      case 'reload-failed':
      case 'setup-failed':
      case 'watch-failed':
        return terminal.problem(event.error);
      case 'secrets-missing':
        return terminal.secretsMissing(event.names);
      case 'trust-missing':
        return terminal.trustMissing(event.agents, context.ask.possible && !once);
      case 'confirmation':
        return terminal.confirmation(event);
      case 'problem':
        return terminal.note('problem', event.message);
      case 'view-failed':
        return terminal.failed(`view ${event.function}`, event.stack);
      case 'stopped':
        terminal.note('stopped', '');
        return terminal.flush(); // the process may end in this turn
      default:
        event satisfies never;
    }
  }

  return { hear, broken: () => broken, lastInvoked: () => last, untrusted: () => untrusted, terminal };
}
