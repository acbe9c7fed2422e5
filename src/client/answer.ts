import { type ErrorCode, errorCodes, type OperationName, operationOf } from '../contract/index.ts';
import {
  type FieldProblem,
  isJsonType,
  isRecord,
  jsonExcess,
  UnreachableError,
  WorkspaceError,
  type WorkspaceErrorOptions,
} from '../std/index.ts';
import { isOwnFailure, isWeather } from './outcome.ts';
import { plainText } from './plain.ts';
import { retryAfterSeconds, timeThere } from './repeat.ts';
import type { RemoteWorkspace } from './target.ts';
import type { WireAnswer } from './transport.ts';
import { isOverridden } from './wire.ts';

/** Far more than any real answer contains, and little enough to traverse afterwards. */
const maxJsonSize = { depth: 500, keys: 10_000_000 };

/** The body as JSON, if it is declared as JSON and parses. */
export function jsonOf(answer: WireAnswer): { json: unknown } | undefined {
  if (!isJsonType(answer.headers['content-type']) || jsonExcess(answer.body, maxJsonSize)) return undefined;
  try {
    return { json: JSON.parse(Buffer.from(answer.body).toString('utf8')) };
  } catch {
    return undefined;
  }
}

/** The problem document of a refusal (RFC 9457 with a code); undefined when the answer is not one of this API. */
export function problemOf(answer: WireAnswer): Record<string, unknown> | undefined {
  const parsed = jsonOf(answer);
  return isRecord(parsed?.json) && typeof parsed.json['code'] === 'string' && codeIn(parsed.json) !== ''
    ? parsed.json
    : undefined;
}

/** Turns a refusal of the workspace into the error that an in-process door throws as well. Server text is made plain. */
export function refusalOf(
  workspace: RemoteWorkspace,
  name: OperationName,
  answer: WireAnswer,
  problem: Record<string, unknown>,
  nowMs: number,
): WorkspaceError {
  const code = codeIn(problem);
  // Answers that leave the outcome open never get here.
  const nothingChanged = isWeather(answer.status) && !isOwnFailure(code, name);
  return refused(answer, problem, nowMs, {
    hint:
      hintFor(workspace, name, answer.status, code) ??
      (answer.status === 429 || nothingChanged ? busyHint : serverHint(problem['hint'])),
    nothingChanged,
  });
}

/**
 * The same for a raw request, of which only its method is known; undefined when the answer is not one of this API.
 */
export function requestRefusal(answer: WireAnswer, nowMs: number, reads: boolean): WorkspaceError | undefined {
  const problem = problemOf(answer);
  return (
    problem &&
    refused(answer, problem, nowMs, {
      hint: hintOf(codeIn(problem)) ?? serverHint(problem['hint']),
      nothingChanged: reads && isWeather(answer.status) && !isOwnFailure(codeIn(problem), undefined),
    })
  );
}

function refused(
  answer: WireAnswer,
  problem: Record<string, unknown>,
  nowMs: number,
  ours: Pick<WorkspaceErrorOptions, 'hint' | 'nothingChanged'>,
): WorkspaceError {
  const code = codeIn(problem);
  const said = problem['detail'] ?? problem['title'];
  const requestId = problem['requestId'] ?? answer.headers['x-request-id'];
  return new WorkspaceError(code, answer.status, plainText(textOf(said)).trim() || code, {
    ...ours,
    requestId: typeof requestId === 'string' ? plainText(requestId, 200, true) : undefined,
    details: detailsOf(problem),
    errors: fieldProblems(problem['errors']),
    retryAfterSeconds: retryAfterSeconds(answer.headers['retry-after'], timeThere(answer.headers, nowMs)),
  });
}

const codeIn = (problem: Record<string, unknown>): string => plainText(String(problem['code']), 100, true).trim();

/** The error for an answer that is not of this API at all: a web page, a redirect, other JSON. */
export function strangerOf(
  workspace: RemoteWorkspace,
  name: OperationName,
  answer: WireAnswer,
): WorkspaceError | UnreachableError {
  const { status } = answer;
  const location = answer.headers['location'];
  const origin = new URL(workspace.baseUrl).origin;
  if (status >= 300 && status < 400 && location !== undefined) {
    return new UnreachableError('redirected', `${origin} redirects the request to ${plainText(location, 300, true)}`, {
      hint: 'fn does not follow redirects, because the token belongs to one address. If that is your workspace, log in with the new address.',
    });
  }
  if (status === 401 || status === 403) {
    return new WorkspaceError(
      'access_refused',
      status,
      `${origin} refused access (${status}), but its answer is not from this API`,
      {
        hint: 'Check the API token with `fn whoami`; a proxy or a firewall may answer in its place.',
      },
    );
  }
  if (status === 404 || status === 405) {
    return new WorkspaceError(
      status === 404 ? 'route_unknown' : 'method_not_allowed',
      status,
      `${origin} has nothing for ${name} (${status})`,
      { hint: hintFor(workspace, name, status, 'route_unknown') ?? addressHint },
    );
  }
  if (status === 429 || isWeather(status)) {
    return new UnreachableError('workspace_busy', `${origin} answered ${status}`, { hint: busyHint });
  }
  if (status >= 400) {
    return new WorkspaceError('refused', status, `${origin} refused ${name} with ${status}`, { hint: addressHint });
  }
  return new UnreachableError(
    'not_a_workspace',
    `${origin} answered ${name} with ${describe(answer)}, which no workspace does`,
    {
      hint: addressHint,
    },
  );
}

const busyHint = 'Nothing was changed. Try again later.';
const addressHint = 'Check the address and slug with `fn whoami`; a captive portal or proxy may answer in its place.';

/** A hint on how to resolve a refusal whose code alone does not say it. */
function hintFor(workspace: RemoteWorkspace, name: OperationName, status: number, code: string): string | undefined {
  const atRoute = code === 'route_unknown' || code === 'method_not_allowed' || !Object.hasOwn(errorCodes, code);
  if ((status === 404 || status === 405) && atRoute) {
    const row = operationOf(name);
    if (row.source === 'documented') return `${row.route} is a documented route; check the address and the slug.`;
    const where = isOverridden(workspace, name)
      ? `this profile says "${workspace.routes?.[name]}"`
      : `assumed at "${row.route}"`;
    return `The platform does not document the route of ${name}: ${where}. Override it: fn profile set NAME operations.${name}.route "PUT /x/{slug}/y"`;
  }
  return hintOf(code);
}

const hintOf = (code: string): string | undefined =>
  Object.hasOwn(hints, code) ? hints[code as ErrorCode] : undefined;

/** The workspace's own hint: it knows best what to do about its refusal. */
function serverHint(hint: unknown): string | undefined {
  return typeof hint === 'string' ? plainText(hint, 500, true) : undefined;
}

const hints: Partial<Record<ErrorCode, string>> = {
  disk_full: 'Free some space on the disk of the workspace, then try again.',
  token_missing: 'Log in with `fn login`, or set FN_TOKEN.',
  token_malformed: 'Check FN_TOKEN: it must contain only the token.',
  token_invalid: 'Create a token under Profile › API Tokens and log in again with `fn login`.',
  token_revoked: 'Create a new token under Profile › API Tokens and log in again with `fn login`.',
  token_foreign: 'Check the slug: a token opens only the workspace it was made in.',
  token_scope: 'Use a token with this scope; create one with `fn token create --scope …`.',
  workspace_unknown: 'The slug is the part after /tenants/ in the address of the workspace.',
  app_not_installed: 'Install it from the app store of the workspace, or with `fn app install`.',
  idempotency_key_reused: 'Use a new key for different data, or repeat exactly what was sent with this key.',
  idempotency_key_running:
    'The first request with this key is still in progress; repeat with the same key in a moment.',
};

function detailsOf(problem: Record<string, unknown>): Record<string, unknown> | undefined {
  if (isRecord(problem['details'])) return problem['details'];
  const known = new Set(['type', 'title', 'status', 'detail', 'code', 'requestId', 'errors', 'details', 'instance']);
  const further = Object.entries(problem).filter(([key]) => !known.has(key));
  return further.length === 0 ? undefined : Object.fromEntries(further);
}

function fieldProblems(errors: unknown): FieldProblem[] | undefined {
  if (!Array.isArray(errors)) return undefined;
  return errors.slice(0, 200).flatMap((entry: unknown) =>
    isRecord(entry)
      ? [
          {
            path: plainText(textOf(entry['path']), 200, true),
            message: plainText(textOf(entry['message']), 500, true),
          },
        ]
      : [],
  );
}

/** Only strings count: converting other values can fail, since an object may define its own `toString`. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function describe(answer: WireAnswer): string {
  const type = answer.headers['content-type'] ?? '';
  if (/html/i.test(type)) return 'a web page';
  if (/json/i.test(type)) return jsonOf(answer) === undefined ? 'broken JSON' : 'other JSON';
  return type === '' ? 'something without a type' : plainText(type, 60, true);
}
