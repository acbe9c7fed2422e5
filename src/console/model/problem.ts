/** A refusal of the workspace, or that it does not answer (`workspace_unreachable`, status 0). */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;
  /** What is wrong with single fields of the input. */
  readonly errors: readonly { readonly path: string; readonly message: string }[];
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, body: unknown) {
    const given = isRecord(body) ? body : {};
    super(textOf(given['detail']) ?? textOf(given['title']) ?? `The workspace answered ${status}`);
    this.status = status;
    this.code = textOf(given['code']) ?? 'answer_unknown';
    this.hint = textOf(given['hint']);
    this.errors = Array.isArray(given['errors']) ? given['errors'] : [];
    this.details = isRecord(given['details']) ? given['details'] : {};
  }
}

/** The workspace gives no answer. */
export function unreachable(cause: unknown): Problem {
  return new Problem(0, {
    code: 'workspace_unreachable',
    detail: 'The workspace does not answer.',
    hint: 'Is fn dev running?',
    cause: String(cause),
  });
}

/** Any failure, as a problem. */
export function problemOf(error: unknown): Problem {
  return error instanceof Problem ? error : new Problem(0, { code: 'console_failed', detail: String(error) });
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
