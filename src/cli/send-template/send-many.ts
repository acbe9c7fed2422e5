import {
  codeOf,
  type ExitCode,
  InterruptedError,
  messageOf,
  monotonicMs,
  sha256Hex,
  UnknownOutcomeError,
  UnreachableError,
  WorkspaceError,
  wait,
} from '../../std/index.ts';
import type { Context, Target } from '../context.ts';
import type { CsvRow } from './csv.ts';
import { byFlags } from './flag-names.ts';
import { uploadMedia, withMedia } from './media.ts';
import type { Draft, MessageFlags } from './message.ts';
import { holdingList, ResumeFile } from './resume.ts';

/** The message of one line. */
export interface ListedDraft extends Draft {
  /** The flags of the command, with the columns of the line. */
  readonly flags: MessageFlags;
}

export interface ManyOptions {
  readonly rows: readonly CsvRow[];
  /** Drafts by line number. */
  readonly drafts: ReadonlyMap<number, ListedDraft>;
  readonly resumePath: string;
  /** Fingerprint of file and flags. */
  readonly fingerprint: string;
  /** Messages per second. */
  readonly rate: number;
}

/** Result for one recipient in this run; `skipped` if it was sent in an earlier one. */
export interface LineReport {
  readonly line: number;
  readonly to: string;
  readonly outcome: 'done' | 'not_done' | 'unknown' | 'skipped';
  readonly code?: string;
  readonly message?: string;
  readonly conversationId?: string;
  readonly conversationUrl?: string;
}

export interface ManyReport {
  readonly type: 'report';
  readonly outcome: 'done' | 'partial' | 'not_done' | 'unknown';
  readonly total: number;
  readonly sent: number;
  readonly skipped: number;
  readonly refused: number;
  readonly unknown: number;
  readonly left: number;
  readonly resume: string;
}

const mostAtOnce = 8;
const giveUpAfter = 5;

/**
 * Sends to a list at a given rate, each recipient at most once over all repeats. It stops early if the workspace is unreachable or
 * refuses the token, and after Ctrl-C once open requests are answered.
 */
export async function sendMany(
  context: Context,
  target: Target,
  options: ManyOptions,
  onLine: (report: LineReport) => void,
): Promise<{ report: ManyReport; exitCode: ExitCode }> {
  return await holdingList(options.resumePath, () =>
    ResumeFile.with(options.resumePath, options.fingerprint, context.clock, async (resume) => {
      if (resume.resumed) context.io.err(`Continuing from ${options.resumePath}.`);
      return await new Run({ context, target, options, resume, onLine }).go();
    }),
  );
}

interface RunParts {
  readonly context: Context;
  readonly target: Target;
  readonly options: ManyOptions;
  readonly resume: ResumeFile;
  onLine(report: LineReport): void;
}

class Run {
  readonly #media = new Map<string, Promise<string>>();
  readonly #counts = { sent: 0, skipped: 0, refused: 0, unknown: 0 };
  readonly #context: Context;
  readonly #target: Target;
  readonly #options: ManyOptions;
  readonly #resume: ResumeFile;
  readonly #onLine: (report: LineReport) => void;
  #failuresInARow = 0;
  #stop: unknown;

  constructor({ context, target, options, resume, onLine }: RunParts) {
    this.#context = context;
    this.#target = target;
    this.#options = options;
    this.#resume = resume;
    this.#onLine = onLine;
  }

  async go(): Promise<{ report: ManyReport; exitCode: ExitCode }> {
    const { signal, io } = this.#context;
    const { rows, rate } = this.#options;
    const under = new Set<Promise<void>>();
    const start = monotonicMs();
    let begun = 0;
    for (const row of rows) {
      const before = this.#resume.states.get(row.line);
      if (before?.state === 'done') {
        this.#counts.skipped++;
        continue;
      }
      if (this.#resume.isTooOld(row.line)) {
        this.#tooOld(row);
        continue;
      }
      const dueMs = start + (begun * 1_000) / rate;
      await wait(dueMs - monotonicMs(), signal);
      while (under.size >= mostAtOnce) await Promise.race(under);
      if (this.#stop !== undefined || signal.aborted) break;
      begun++;
      const one = this.#one(row).finally(() => under.delete(one));
      under.add(one);
      const { sent, refused, unknown } = this.#counts;
      io.progress(
        `${sent + refused + unknown + this.#counts.skipped} of ${rows.length}; ${refused} refused, ${unknown} unknown`,
      );
    }
    await Promise.all(under);
    io.progress('');
    return this.#report();
  }

  async #one(row: CsvRow): Promise<void> {
    const draft = this.#options.drafts.get(row.line);
    if (draft === undefined) return;
    const { to } = draft.body;
    const key = this.#resume.keyOf(row.line);
    const wasOpen = this.#resume.isOpen(row.line);
    try {
      const media = new Map<string, string>();
      for (const file of draft.files) {
        let uploaded = this.#media.get(file.sha256);
        if (uploaded === undefined) {
          uploaded = uploadMedia(this.#context, this.#target, file);
          this.#media.set(file.sha256, uploaded);
          // The next line tries again: the problem may be gone.
          uploaded.catch(() => this.#media.delete(file.sha256));
        }
        media.set(file.placeholder, await uploaded);
      }
      this.#resume.note(row.line, key, 'sending');
      const sent = await this.#target.door('templates.send', withMedia(draft.body, media), {
        idempotencyKey: key,
        signal: this.#context.signal,
      });
      this.#resume.note(row.line, key, 'done');
      this.#counts.sent++;
      this.#failuresInARow = 0;
      const { conversationId, conversationUrl } = sent;
      this.#onLine({ line: row.line, to, outcome: 'done', conversationId, conversationUrl });
    } catch (error) {
      this.#failed({ line: row.line, to, key, wasOpen }, byFlags(error, draft.flags, row.values));
    }
  }

  /** Skips a line that may have been sent and whose key the workspace no longer knows. */
  #tooOld({ line }: CsvRow): void {
    this.#counts.unknown++;
    const to = this.#options.drafts.get(line)?.body.to ?? '';
    const message = `It has been unknown for a day whether this was sent, so a repeat is no longer safe. Check in the workspace (fn api customers.find -f phone=${to}); if it was not sent, send it by itself.`;
    this.#onLine({ line, to, outcome: 'unknown', code: 'unknown_too_old', message });
  }

  /** @param one `wasOpen`: an earlier run may have sent it, whatever the result of this repeat */
  #failed(
    { line, to, key, wasOpen }: { line: number; to: string; key: string; wasOpen: boolean },
    error: unknown,
  ): void {
    const { code, message } = describe(error);
    const isRefused = error instanceof WorkspaceError && error.exitCode !== 7;
    const isUnknown =
      error instanceof UnknownOutcomeError ||
      (error instanceof WorkspaceError && error.code === 'idempotency_key_running');
    if (isUnknown || wasOpen) {
      this.#resume.note(line, key, 'unknown');
      this.#counts.unknown++;
      this.#onLine({ line, to, outcome: 'unknown', code, message });
    } else if (isRefused) {
      this.#resume.note(line, key, 'refused');
      this.#counts.refused++;
      this.#onLine({ line, to, outcome: 'not_done', code, message });
    } else {
      this.#resume.note(line, key, 'not_done');
      if (!(error instanceof InterruptedError)) this.#onLine({ line, to, outcome: 'not_done', code, message });
    }
    if (isRefused && !isUnknown) {
      this.#failuresInARow = 0;
      // With a refused token or a missing app, the next ones would fail as well.
      if (
        error.exitCode === 4 ||
        ['app_not_installed', 'template_not_found', 'template_not_approved'].includes(error.code)
      )
        this.#stop ??= error;
    } else {
      this.#failuresInARow++;
      if (!(isUnknown || error instanceof UnreachableError || error instanceof WorkspaceError)) this.#stop ??= error;
    }
    if (this.#failuresInARow >= giveUpAfter) this.#stop ??= error;
  }

  #report(): { report: ManyReport; exitCode: ExitCode } {
    const { sent, skipped, refused, unknown } = this.#counts;
    const total = this.#options.rows.length;
    const left = total - sent - skipped - refused - unknown;
    const complete = sent + skipped === total;
    const nothing = sent + skipped + unknown === 0;
    const outcome = complete ? 'done' : nothing ? 'not_done' : sent + skipped === 0 ? 'unknown' : 'partial';
    const report: ManyReport = {
      type: 'report',
      outcome,
      total,
      sent,
      skipped,
      refused,
      unknown,
      left,
      resume: this.#options.resumePath,
    };
    if (complete) return { report, exitCode: 0 };
    if (!nothing) return { report, exitCode: outcome === 'unknown' ? 8 : 10 };
    // Refusals before the interruption are in the report only.
    if (this.#stop !== undefined && !(this.#stop instanceof InterruptedError)) throw this.#stop;
    return { report, exitCode: this.#context.signal.aborted ? 130 : refused > 0 ? 1 : 7 };
  }
}

function describe(error: unknown): { code: string; message: string } {
  if (error instanceof WorkspaceError && error.errors?.length) {
    return { code: error.code, message: error.errors.map(({ path, message }) => `${path} ${message}`).join('; ') };
  }
  return { code: codeOf(error) ?? 'failed', message: messageOf(error) };
}

/** Fingerprint of everything that identifies a campaign. */
export function campaignFingerprint(parts: readonly unknown[]): string {
  return sha256Hex(JSON.stringify(parts));
}
