import { type FnError, messageOf } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import { type Finding, findings } from '../doctor/findings.ts';
import type { Io } from '../io.ts';
import { wrap } from '../terminal/width.ts';

export const command = defineCommand({
  description: `Checks this machine and this app: Node, the sandbox, the bundler, the app's config, functions, AI agents, flows and types for editors, a running "fn dev", its port, permissions, and the workspace that commands would use. For every problem it says what to do.

Exits with 3 if something is wrong; warnings do not count. It changes nothing, and does not use the network without --online.`,
  options: { online: { flag: '--online', summary: 'Also check the workspace of the profile in use' } },
  examples: [{ line: 'fn doctor', does: 'checks everything', runs: true }],
  json: '{items: [{name, state: "ok" | "warning" | "wrong", message, hint?}]}',
  async run(context, { online }) {
    const items: Finding[] = [];
    for (const [name, look] of findings(online)) {
      if (context.signal.aborted) break;
      context.io.progress(`looking at ${name} …`);
      try {
        const found = await look(context);
        if (found !== undefined) items.push({ name, ...found });
      } catch (error) {
        // A broken config fails every check of the app; it is reported once.
        const message = messageOf(error);
        if (!items.some((item) => item.message === message))
          items.push({ name, state: 'wrong', message, hint: hintOf(error) });
      }
    }
    context.io.progress('');
    context.io.result({ items }, () => items.map((item) => line(item, context.io)).join('\n'));
    return items.some(({ state }) => state === 'wrong') ? 3 : 0;
  },
});

const hintOf = (error: unknown): string | undefined => (error as Partial<FnError>).hint;

function line({ name, state, message, hint }: Finding, { style, outIsTerminal, columns }: Io): string {
  /** Indents text; lines are not wrapped in a pipe. */
  const below = (text: string, margin: number) =>
    outIsTerminal ? wrap(text, Math.max(10, columns - margin)).replaceAll('\n', `\n${' '.repeat(margin)}`) : text;
  const mark = { ok: style.green('ok     '), warning: style.yellow('warning'), wrong: style.red('wrong  ') }[state];
  return [
    `${mark} ${name.padEnd(12)} ${below(message, 21)}`,
    ...(hint && state !== 'ok' ? [`        ${style.cyan('→')} ${below(hint, 10)}`] : []),
  ].join('\n');
}
