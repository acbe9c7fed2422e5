import type { Any, Fn, Kit } from './kit.ts';

/** The web layer's report on a thrown value; all of it is text. */
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
 * Describes a thrown value, as JSON for the child.
 * @param reportError of the layer; a value that it cannot read is described as such
 */
export function thrown({ stringify, own, bareList }: Kit, reportError: Fn | undefined): (error: unknown) => string {
  /** Has no prototype, so that a `toJSON` on Object.prototype is not called. */
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
      // The report itself was sabotaged; the following does not read the error.
    }
    return stringify({
      __proto__: null,
      name: 'Error',
      message: 'The function threw a value that cannot be read',
      stack: '',
    });
  };
}
