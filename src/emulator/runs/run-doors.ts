import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { BatchAnswer, OpenDoor, RunDoor, TakeBatch } from '../../agent/index.ts';
import { refusal } from '../../contract/index.ts';
import { refuseByHeaders } from '../../std/index.ts';

interface Opened {
  readonly door: RunDoor;
  /** SHA-256 of the token. */
  readonly token: Buffer;
}

/** What the servers of custom agents may ask for while their runs work, each with a token of its own. */
export class RunDoors {
  readonly #baseUrl: () => string | undefined;
  readonly #open = new Map<string, Opened>();
  /** Of runs that have ended lately: what answers one more batch. It holds nothing of the run. */
  readonly #last = new Map<string, TakeBatch>();

  /** @param baseUrl undefined while nothing listens */
  constructor(baseUrl: () => string | undefined) {
    this.#baseUrl = baseUrl;
  }

  open(runId: string, door: RunDoor): OpenDoor | undefined {
    const baseUrl = this.#baseUrl();
    if (baseUrl === undefined) return undefined;
    const token = `fn_run_${randomBytes(24).toString('base64url')}`;
    const opened = { door, token: hash(token) };
    this.#open.set(runId, opened);
    this.#last.delete(runId);
    return {
      mcp: { url: `${baseUrl}${mcpPath}${runId}`, headers: { authorization: `Bearer ${token}` } },
      callback: { url: `${baseUrl}${callbackPath}${runId}/events` },
      close: (takeLast) => {
        if (this.#open.get(runId) !== opened) return;
        this.#open.delete(runId);
        if (takeLast === undefined) return;
        this.#last.set(runId, takeLast);
        for (const old of this.#last.keys()) if (this.#last.size > maxLast) this.#last.delete(old);
      },
    };
  }

  /** @throws WorkspaceError token_missing, token_invalid: also when the run is over */
  require(runId: string, authorization: string | undefined): RunDoor {
    const given = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1];
    if (given === undefined) throw refusal('token_missing');
    const opened = this.#open.get(runId);
    if (opened !== undefined && timingSafeEqual(hash(given), opened.token)) return opened.door;
    throw refusal('token_invalid', 'This token is not of a run that works now');
  }

  /** @returns what is said to a batch before its body is read: the run is over or unknown, or nobody has signed it; else undefined */
  refuseBatch(runId: string, headers: IncomingHttpHeaders): BatchAnswer | undefined {
    if (!this.#open.has(runId) && !this.#last.has(runId)) return over;
    const wrong = refuseByHeaders(headers);
    return wrong && { status: 401, body: { error: wrong.message } };
  }

  /** A batch of events of a run; its signature says who sends it. */
  takeBatch(runId: string, batch: Parameters<RunDoor['takeBatch']>[0]): BatchAnswer {
    const opened = this.#open.get(runId);
    if (opened !== undefined) return opened.door.takeBatch(batch);
    const answer = this.#last.get(runId)?.(batch);
    if (answer?.status === 200) this.#last.delete(runId);
    return answer ?? over;
  }

  /** Of a run that was let in. @throws WorkspaceError token_invalid when it has ended since */
  of(runId: string): RunDoor {
    const opened = this.#open.get(runId);
    if (opened === undefined) throw refusal('token_invalid', 'The run has ended');
    return opened.door;
  }
}

/** Below it, the tools of a run. */
export const mcpPath = '/mcp/runs/';
/** Below it, `ID/events` takes what an agent tells later. */
export const callbackPath = '/harness/runs/';

const maxLast = 200;

const over: BatchAnswer = { status: 410, body: { error: 'This run takes no events' } };

const hash = (token: string): Buffer => createHash('sha256').update(token).digest();
