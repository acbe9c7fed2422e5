/** What the test runner tells, as far as it is looked at. */
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
 * A reporter for Node's test runner: one object a line. Its text is given to the runner, which loads it in a process of its own, so it
 * refers to nothing outside itself.
 */
async function* reporter(events: AsyncIterable<Told>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === 'test:pass' || type === 'test:fail') {
      const { name, file, line, details } = data;
      // A file or a describe stands around tests that have lines of their own; one that fails by itself is told.
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
    // Each file has a summary as well; the one of the whole run names none.
    if (type === 'test:summary' && data.file === undefined) {
      yield `${JSON.stringify({ type: 'summary', ...data.counts, ms: data.duration_ms })}\n`;
    }
  }
}

/** For `--test-reporter`. */
export const testLines = `data:text/javascript,${encodeURIComponent(`export default ${reporter}`)}`;
