import type { Bundle } from '../../../bundle/index.ts';
import { FunctionError, thrownHint } from '../../../std/index.ts';

/** How many warnings are shown. A failing package usually has its own. */
const shown = 3;

/**
 * Adds the build's warnings to an error of loading: a package that finds no sockets or no page says so in its own words, and the
 * author never sees the warnings of a build whose function did not load. Only if the error comes from a package: what the author's
 * own top level throws has other reasons.
 */
export function withLoadHint(error: unknown, { warnings, code }: Pick<Bundle, 'warnings' | 'code'>): unknown {
  if (!(error instanceof FunctionError) || error.code !== 'function_load_failed' || error.hint !== undefined)
    return error;
  const missing = thrownHint(error.message);
  const unexplained = missing === undefined ? error : withHint(error, missing);
  const { stack } = Object(error.cause) as { stack?: unknown };
  const frames = typeof stack === 'string' ? stack.split('\n').filter((line) => /^\s*at /.test(line)) : [];
  if (!/node_modules\/|\bnode:/.test(frames[0] ?? '')) return unexplained;
  const known = setUndeclared(error) ?? findsFile(error) ?? oldDecorator(frames, code);
  const told = warnings.filter((warning) => warning.code !== 'compiler');
  const named = told.filter((warning) => frames.some((frame) => frame.includes(`node_modules/${warning.package}/`)));
  const lines = known ?? (named.length > 0 ? named : told).slice(0, shown).map(({ message }) => message);
  if (lines.length === 0) return unexplained;
  return withHint(error, lines.join('\n'));
}

function withHint({ code, message, location, cause }: FunctionError, hint: string): FunctionError {
  return new FunctionError(code, message, { hint, location, cause });
}

/** Old CommonJS files assign to undeclared variables, which creates globals in Node. */
function setUndeclared({ message, location }: FunctionError): string[] | undefined {
  const name = /ReferenceError: ([\w$]+) is not defined/.exec(message)?.[1];
  const after = name === undefined ? undefined : location?.text?.slice((location.column ?? 1) - 1);
  const isSet = name !== undefined && after?.startsWith(name) && /^\s*=[^=>]/.test(after.slice(name.length));
  return isSet
    ? [
        `"${name}" is set without being declared, and functions are strict code, as ES modules are. Use another package, or a newer version of this one.`,
      ]
    : undefined;
}

function findsFile({ message }: FunctionError): string[] | undefined {
  return /require\.resolve is not a function/.test(message)
    ? ['It looks for files of its own, which a function does not have: its bundle is one text. Use another package.']
    : undefined;
}

/** A decorator of a package, called by the author's module, although the compiler has the standard ones, which are called differently. */
function oldDecorator(frames: readonly string[], code: string): string[] | undefined {
  const isCalled = frames.some((frame) => !/node_modules\/|\bnode:/.test(frame));
  return isCalled && code.includes('__decorateElement(')
    ? [
        'Decorators are those of the JavaScript standard. If the package expects those of earlier TypeScript, as most do, set "experimentalDecorators": true in the compilerOptions of tsconfig.json.',
      ]
    : undefined;
}
