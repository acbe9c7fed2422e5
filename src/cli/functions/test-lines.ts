/** The part of the test runner's events that is used here. */
interface Told {
  readonly type: string;
  readonly data: {
    readonly name?: string;
    readonly file?: string;
    readonly line?: number;
    readonly skip?: unknown;
    readonly todo?: unknown;
    readonly counts?: Readonly<Record<string, number>>;
    readonly duration_ms?: number;
    readonly details?: {
      readonly type?: string;
      readonly duration_ms?: number;
      readonly error?: Error & { readonly failureType?: string };
    };
  };
}

/**
 * A reporter for Node's test runner that prints one JSON object per line. Its text is passed to the runner, which loads it in another
 * process, so it must be self-contained.
 */
async function* reporter(events: AsyncIterable<Told>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === 'test:pass' || type === 'test:fail') {
      const { name, file, line, details } = data;
      // Files and suites contain tests with their own lines; they are only reported if they fail by themselves.
      if (details?.type === 'suite' && (type === 'test:pass' || details.error?.failureType === 'subtestsFailed'))
        continue;
      const skipped = data.skip !== undefined && data.skip !== false;
      const cause = details?.error?.cause;
      const thrown = cause instanceof Error ? cause : details?.error;
      const object = {
        type: skipped ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed',
        name,
        file,
        line,
        ms: details?.duration_ms,
        ...(data.todo !== undefined && data.todo !== false && { todo: true }),
        ...(thrown && { error: { message: thrown.message, stack: thrown.stack } }),
      };
      yield `${JSON.stringify(object)}\n`;
    }
    // Each file has a summary, too; that of the whole run has no file.
    if (type === 'test:summary' && data.file === undefined) {
      yield `${JSON.stringify({ type: 'summary', ...data.counts, ms: data.duration_ms })}\n`;
    }
  }
}

/** Value for `--test-reporter`. */
export const testLines = `data:text/javascript,${encodeURIComponent(`export default ${reporter}`)}`;
