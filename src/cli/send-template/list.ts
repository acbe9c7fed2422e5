import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ExitCode, sha256Hex, UsageError } from '../../std/index.ts';
import type { Context } from '../context.ts';
import { inLine } from '../terminal/sanitise.ts';
import { readGiven, textOf } from '../values/read-given.ts';
import { type CsvRow, parseCsv } from './csv.ts';
import { fingerprintOf } from './keys.ts';
import { draftOf, type MessageFlags } from './message.ts';
import { campaignFingerprint, type LineReport, type ListedDraft, type ManyReport, sendMany } from './send-many.ts';

export interface ListFlags {
  readonly file: string;
  readonly rate?: number | undefined;
  readonly resume?: string | undefined;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly idempotencyKey?: string | undefined;
}

const mostCsvBytes = 256 * 1024 * 1024;

/** `send-template --from-csv`: reads the list, asks for confirmation, sends, and reports. */
export async function sendList(context: Context, message: MessageFlags, flags: ListFlags): Promise<ExitCode> {
  const { io, cwd } = context;
  if (flags.idempotencyKey !== undefined || message.to !== undefined) {
    throw new UsageError(
      'flags_contradict',
      `--from-csv cannot be combined with ${message.to === undefined ? '--idempotency-key' : '--to'}`,
      {
        hint: 'Every line of the file has its own number and gets its own key.',
      },
    );
  }
  const rate = flags.rate ?? 10;
  if (!(rate > 0 && rate <= 1_000))
    throw new UsageError('flag_invalid', `--rate is ${rate}; it must be above 0 and at most 1000`);
  const text = await readText(context, flags);
  const { columns, rows } = parseCsv(text, flags.file);
  if (!columns.includes('to')) {
    throw new UsageError('csv_invalid', `${flags.file} has no column "to"`, {
      hint: `Its columns are: ${columns.join(', ').slice(0, 200)}. Name the column with the numbers "to".`,
      location: { file: flags.file, line: 1 },
    });
  }
  refuseDoubles(rows, flags.file);
  const draft = (row: CsvRow): ListedDraft => {
    try {
      const filled = flagsOf(row, message);
      return { ...draftOf(filled, cwd), flags: filled };
    } catch (error) {
      throw error instanceof UsageError
        ? new UsageError(error.code, error.message, {
            hint: error.hint,
            location: { file: flags.file, line: row.line },
            cause: error,
          })
        : error;
    }
  };
  // All drafts are created first: if any line is broken, nothing is sent.
  const drafts = new Map(rows.map((row) => [row.line, draft(row)]));
  const target = await context.target();
  if (flags.dryRun) {
    const [first] = drafts.values();
    if (first === undefined) throw new UsageError('csv_invalid', `${flags.file} has no recipients`);
    const { dryRun } = await import('./dry-run.ts');
    const code = await dryRun(context, target, first, first.flags, undefined, rows[0]?.values);
    io.err(`This is the first of ${rows.length} messages.`);
    return code;
  }
  const templates = new Set(Array.from(drafts.values(), ({ body }) => body.template));
  const what = templates.size === 1 ? `"${[...templates][0]}"` : `${templates.size} templates`;
  if (target.kind === 'remote' && context.ask.possible && !flags.yes) {
    const to = rows
      .slice(0, 3)
      .map((row) => row.values['to'])
      .join(', ');
    const question = `Send ${what} to ${rows.length} customers of ${target.slug} (${to}${rows.length > 3 ? ', …' : ''})?`;
    if (!(await context.ask.confirm({ message: question, flag: '--yes' }))) return 130;
  } else {
    io.err(
      `Sending ${what} to ${rows.length} ${rows.length === 1 ? 'recipient' : 'recipients'} of ${target.slug}${target.kind === 'remote' ? '' : ' (practice)'}.`,
    );
  }
  if (target.kind === 'remote') {
    const { agreeToSend } = await import('../workspaces/ask-before-sending.ts');
    // The question above, or --yes, was the answer.
    await agreeToSend(context, target, true);
  }
  const resumePath = resolve(cwd, flags.resume ?? `${flags.file}.resume.jsonl`);
  const fingerprint = campaignFingerprint([target.baseUrl ?? 'local', target.slug, sha256Hex(text), message]);
  context.ifCutOff({
    exitCode: 10,
    message: `Stopped in the middle. The same command continues; ${resumePath} records who got the message.`,
  });
  try {
    const { report, exitCode } = await sendMany(
      context,
      target,
      { rows, drafts, resumePath, fingerprint, rate },
      (line) => io.item(line, () => lineText(line)),
    );
    if (io.json) io.item(report, () => undefined);
    const { sent, skipped, refused, unknown, left, total } = report;
    io.err(
      `${sent} sent${skipped > 0 ? `, ${skipped} sent before` : ''}, ${refused} refused, ${unknown} unknown, ${left} left, of ${total}.` +
        adviceOf(report),
    );
    return exitCode;
  } finally {
    context.ifCutOff(undefined);
  }
}

/** Refused rows would be refused again, and a corrected file counts as a new list, which would be sent completely. */
function adviceOf({ refused, unknown, left }: ManyReport): string {
  const rest = unknown + left > 0 ? ' The same command continues with the rest.' : '';
  return refused > 0 ? `${rest} Correct the refused lines and put them into a new list.` : rest;
}

/** Refuses duplicate rows, which would send the same message twice. The same number with other values is another message. */
function refuseDoubles(rows: readonly CsvRow[], file: string): void {
  const lines = new Map<string, number>();
  for (const { line, values } of rows) {
    const to = values['to']?.replace(/[\s().-]/g, '');
    const same = fingerprintOf(JSON.stringify({ ...values, to }));
    const before = lines.get(same);
    if (before !== undefined) {
      throw new UsageError('csv_invalid', `${file}: line ${line} is the same as line ${before}`, {
        hint: `Nothing was sent: ${values['to']} would get the same message twice. Remove one of the lines.`,
        location: { file, line },
      });
    }
    lines.set(same, line);
  }
}

/** Merges a row's columns into the flags. */
function flagsOf({ values }: CsvRow, message: MessageFlags): MessageFlags {
  const body: string[] = [];
  const named: string[] = [];
  const button: string[] = [];
  let { header, lang, template } = message;
  for (const [column, value] of Object.entries(values)) {
    if (column === 'to') continue;
    if (column === 'header') header = value === '' ? header : value;
    else if (column === 'language') lang = value === '' ? lang : value;
    else if (column === 'template') template = value === '' ? template : value;
    else if (/^button\.\d$/.test(column)) {
      if (value !== '') button.push(`${column.slice(7)}=${value}`);
    } else if (/^[1-9]\d?$/.test(column)) body[Number(column) - 1] = value;
    else named.push(`${column}=${value}`);
  }
  const gap = Array.from(body, (value) => value !== undefined).indexOf(false);
  if (gap !== -1)
    throw new UsageError('csv_invalid', `The column "${gap + 1}" is missing`, {
      hint: 'Positional variables count from 1 without gaps.',
    });
  return {
    ...message,
    template,
    to: values['to'],
    lang,
    header,
    body: body.length > 0 ? body : message.body,
    var: named.length > 0 ? [...(message.var ?? []), ...named] : message.var,
    button: button.length > 0 ? button : message.button,
  };
}

function lineText({ line, to, outcome, code, message, conversationId, conversationUrl }: LineReport): string {
  if (outcome === 'done') return `${to}\t${inLine(conversationId ?? '')}\t${inLine(conversationUrl ?? '')}`;
  return `${to}\t${outcome === 'unknown' ? 'UNKNOWN' : 'NOT SENT'}\tline ${line}: ${code}: ${message}`;
}

async function readText(context: Context, { file, resume }: ListFlags): Promise<string> {
  if (resume === undefined && (file === '-' || !keepsItsPlace(resolve(context.cwd, file)))) {
    throw new UsageError('csv_not_a_file', '--from-csv needs a file: the progress of the list is kept beside it', {
      hint: 'Save the list in a file, so that the same command can continue after an interruption.',
    });
  }
  return textOf(await readGiven(context, file, mostCsvBytes), file, 'Save it as UTF-8; in Excel: "CSV UTF-8".');
}

/** A pipe, such as `<(…)`, has no place for another file beside it. What does not exist is refused when it is read. */
function keepsItsPlace(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined || !(found.isFIFO() || found.isCharacterDevice());
}
