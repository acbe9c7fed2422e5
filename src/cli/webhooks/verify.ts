import { explainSignature, UsageError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { readGiven } from '../values/read-given.ts';

const maxBytes = 4 * 1024 * 1024;

export const command = defineCommand({
  description: `Checks the signature of a webhook, and says exactly what is wrong: a late timestamp, a changed body, another secret, another encoding.

It reads headers and body, as they arrived, from a file or standard input: lines "Name: value", an empty line, the body. With --header, it reads the body alone.

The secret is read from --secret, from FN_WEBHOOK_SECRET, or asked for. Several may be given, as while one is rotated.`,
  arguments: { file: { summary: 'File; default: standard input', optional: true } },
  options: {
    secret: { flag: '--secret <secret>', summary: 'Signing secret, whsec_…', many: true },
    header: { flag: '-H, --header <header>', summary: "A header as it arrived: 'webhook-id: evt_…'", many: true },
  },
  variables: {
    FN_WEBHOOK_SECRET: 'Signing secret for "fn webhook verify", which other users of the machine cannot see',
  },
  examples: [
    { line: 'fn webhook verify request.txt --secret whsec_…', does: 'checks headers and body in a file' },
    {
      line: "fn webhook verify body.json -H 'webhook-id: …' -H 'webhook-timestamp: …' -H 'webhook-signature: …'",
      does: 'checks a body with its headers',
    },
  ],
  json: '{valid: true, secretIndex, id, timestamp} or {valid: false, problem, message, hint}',
  see: ['events', 'exit-codes'],
  async run(context, { file, secret, header }) {
    const { io, env } = context;
    const bytes =
      file === undefined || file === '-'
        ? Buffer.from(await context.stdin(maxBytes))
        : await readGiven(context, file, maxBytes);
    const received = header.length > 0 ? { headers: readHeaders(header), body: bytes } : readRequest(bytes);
    const secrets = await secretsOf(context, secret, env['FN_WEBHOOK_SECRET']);
    const verified = explainSignature(received, { secrets, nowMs: context.clock.now() });
    if (verified.isValid) {
      const { secretIndex, id, timestamp } = verified;
      io.result({ valid: true, secretIndex, id, timestamp }, () => {
        const which = secrets.length > 1 ? `secret ${secretIndex + 1} of ${secrets.length}` : 'this secret';
        const age = Math.round(context.clock.now() / 1000 - timestamp);
        return `The signature is right: ${which} has signed ${id}, ${Math.abs(age)} s ${age < 0 ? 'from now' : 'ago'}.`;
      });
      return 0;
    }
    const { problem, message, hint } = verified;
    io.result({ valid: false, problem, message, hint }, () => `${message}.\n${hint}`);
    return 3;
  },
});

async function secretsOf(context: Context, given: readonly string[], variable: string | undefined): Promise<string[]> {
  if (given.length > 0) return [...given];
  if (variable !== undefined && variable !== '') return [variable];
  return [await context.ask.secret({ message: 'Signing secret:', flag: '--secret <secret>' })];
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const at = line.indexOf(':');
    if (at <= 0)
      throw new UsageError('header_invalid', `A header has no colon: ${line.slice(0, 40)}`, {
        hint: 'Write a header as "Name: value".',
      });
    headers[line.slice(0, at).trim().toLowerCase()] = line.slice(at + 1).trim();
  }
  return headers;
}

/** Headers, an empty line, and the exact bytes of the body; a request line before them is passed over. */
function readRequest(bytes: Buffer): { headers: Record<string, string>; body: Buffer } {
  const text = bytes.toString('latin1');
  const end = /\r?\n\r?\n/.exec(text);
  const head = (end === null ? text : text.slice(0, end.index)).split(/\r?\n/);
  if (head[0] !== undefined && /^[A-Z]+ \S+(?: HTTP\/[\d.]+)?$/.test(head[0])) head.shift();
  if (end === null || !head.every((line) => /^[\w-]+:/.test(line))) {
    throw new UsageError('request_unreadable', 'The input does not begin with headers, an empty line after them', {
      hint: 'Write "webhook-id: …", "webhook-timestamp: …", "webhook-signature: …", an empty line, and the body; or give the headers with -H.',
    });
  }
  return { headers: readHeaders(head), body: bytes.subarray(end.index + end[0].length) };
}
