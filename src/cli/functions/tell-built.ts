import type { LocalEvent } from '../../emulator/index.ts';
import { warningText } from '../failures/report.ts';
import type { Io } from '../io.ts';
import { logEntry, logText } from '../terminal/log-text.ts';

type Built = Extract<LocalEvent, { type: 'built' }>;

/** Prints the warnings of a build and the log lines of the function's top level. */
export function tellBuilt(io: Io): (event: LocalEvent) => void {
  const tellLong = tellLongBuilds(io);
  return (event) => {
    tellLong(event);
    if (event.type !== 'built') return;
    for (const warning of event.warnings) io.err(warningText(event.name, warning, io.errStyle));
    for (const { level, text } of event.logs)
      io.err(logEntry(`${io.errStyle.dim(event.name)} ${logText(io, level, text)}`));
  };
}

/** Problems of which nobody else is told: neither a function nor an answer of the workspace says them. */
const hidden: ReadonlySet<string> = new Set([
  'internal_error',
  'sandbox_child_crashed',
  'job_failed',
  'job_not_recorded',
  'jobs_unreadable',
  'flows_unreadable',
]);

/** `tellBuilt` for a single function, on request: a command that runs one may build others. */
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
      // Unhandled rejections are also in the log of the invocation.
      const logs = event?.logs.filter(({ text }) => !text.startsWith('Unhandled rejection:')) ?? [];
      if (event) say({ ...event, logs });
    },
  };
}

/** Reports a build that takes seconds, since nothing else is visible meanwhile. */
export function tellLongBuilds(io: Io): (event: LocalEvent) => void {
  return (event) => {
    if (event.type === 'building') io.err(`${io.errStyle.dim('still building')} ${longBuilds(event)}`);
  };
}

/** How many names are shown. */
const mostNames = 3;

/** Names the running builds, and says for how long they have been running. */
export function longBuilds({ names, ms }: Omit<Extract<LocalEvent, { type: 'building' }>, 'type'>): string {
  const rest = names.length - mostNames;
  const shown = names.slice(0, mostNames).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  return `${shown} after ${Math.round(ms / 1000)} s …`;
}
