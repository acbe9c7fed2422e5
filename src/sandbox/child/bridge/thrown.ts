import type { Any, Fn, Kit } from './kit.ts';

/** The web layer's report on a thrown value; it consists of texts only. */
interface Report {
  name: string;
  message: string;
  stack: string;
  code?: string;
  fields?: string;
  callee?: string;
  cause?: Report;
  errors?: Report[];
}

/**
 * What was thrown, as JSON for the child.
 * @param reportError the layer's; what it cannot read is told as such
 */
export function thrown({ stringify, own, bareList }: Kit, reportError: Fn | undefined): (error: unknown) => string {
  /** Copies a report to objects without a prototype, so that a `toJSON` that user code puts on Object.prototype is not called. */
  function plain(report: Report, depth: number): Any {
    const { name, message, stack, code, fields, callee, cause, errors } = report;
    let held: Any[] | undefined;
    if (errors !== undefined && depth > 0) {
      held = bareList<Any>();
      for (let i = 0; i < errors.length; i++) own(held, i, plain(errors[i] as Report, depth - 1));
    }
    return {
      __proto__: null,
      name,
      message,
      stack,
      code,
      fields,
      callee,
      cause: cause === undefined || depth === 0 ? undefined : plain(cause, depth - 1),
      errors: held,
    } as unknown as Any;
  }

  return (error) => {
    let report: Report | undefined;
    try {
      report = reportError?.(error) as Report | undefined;
      if (report !== undefined) return stringify(plain(report, 8));
    } catch {
      // The report itself was sabotaged; what follows reads nothing of the error.
    }
    return stringify({
      __proto__: null,
      name: 'Error',
      message: 'The function threw a value that cannot be read',
      stack: '',
    });
  };
}
