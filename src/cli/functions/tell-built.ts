import type { LocalEvent } from '../../emulator/index.ts';
import type { Io } from '../io.ts';
import { logText } from '../terminal/log-text.ts';

type Built = Extract<LocalEvent, { type: 'built' }>;

/** Problems of which the function has learnt no more than that there is one. */
const hidden: ReadonlySet<string> = new Set(['internal_error', 'sandbox_child_crashed']);

/** The same for one function, when somebody asks: a command that runs one builds others on its way. */
export function rememberBuilt(io: Io): { hear(event: LocalEvent): void; tell(name: string): void } {
  const built = new Map<string, Built>();
  const say = tellBuilt(io);
  return {
    hear(event) {
      if (event.type === 'built') built.set(event.name, event);
      if (event.type === 'building') say(event);
      if (event.type === 'problem' && hidden.has(event.code)) io.err(`${io.errStyle.dim('problem')} ${event.message}`);
    },
    tell(name) {
      const event = built.get(name);
      // What was rejected unheard is in the log of the invocation, too.
      const logs = event?.logs.filter(({ text }) => !text.startsWith('Unhandled rejection:')) ?? [];
      if (event) say({ ...event, logs });
    },
  };
}

/** What a build has to say of a function beside that it is done: warnings, and what its top level wrote. */
export function tellBuilt(io: Io): (event: LocalEvent) => void {
  const tellLong = tellLongBuilds(io);
  return (event) => {
    tellLong(event);
    if (event.type !== 'built') return;
    for (const { message } of event.warnings) io.err(`${io.errStyle.yellow('warning')} ${event.name}: ${message}`);
    for (const { level, text } of event.logs) io.err(`${io.errStyle.dim(event.name)} ${logText(io, level, text)}`);
  };
}

/** That a build goes on which takes seconds: nothing else is seen meanwhile. */
export function tellLongBuilds(io: Io): (event: LocalEvent) => void {
  return (event) => {
    if (event.type === 'building') io.err(`${io.errStyle.dim('still building')} ${longBuilds(event)}`);
  };
}

/** Names shown of many. */
const mostNames = 3;

/** Which builds go on, and for how long. */
export function longBuilds({ names, ms }: Omit<Extract<LocalEvent, { type: 'building' }>, 'type'>): string {
  const rest = names.length - mostNames;
  const shown = names.slice(0, mostNames).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  return `${shown} after ${Math.round(ms / 1000)} s …`;
}
