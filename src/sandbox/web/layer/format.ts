import { inspect } from './inspect-value.ts';
import { showPrimitive } from './literals.ts';

/** Node's util.format: `%s %d %i %f %j %o %O %c %%`, the rest joined by spaces. */
export function format(args: readonly unknown[]): string {
  const [first, ...rest] = args;
  if (args.length === 0) return '';
  let used = 0;
  let text: string;
  if (typeof first === 'string') {
    text =
      rest.length === 0
        ? first
        : first.replace(/%[sdifjoOc%]/g, (mark) => {
            if (mark === '%%') return '%';
            if (used >= rest.length) return mark;
            return directive(mark, rest[used++]);
          });
  } else {
    text = inspect(first);
  }
  for (const value of rest.slice(used)) text += ` ${typeof value === 'string' ? value : inspect(value)}`;
  return text;
}

function directive(mark: string, value: unknown): string {
  switch (mark) {
    case '%s':
      if (typeof value === 'object' && value !== null)
        return hasOwnText(value) ? `${value}` : inspect(value, { depth: 0 });
      return showPrimitive(value);
    case '%d':
      return typeof value === 'bigint'
        ? `${value}n`
        : typeof value === 'symbol'
          ? 'NaN'
          : showPrimitive(numberOf(value, Number));
    case '%i':
      return typeof value === 'bigint'
        ? `${value}n`
        : typeof value === 'symbol'
          ? 'NaN'
          : showPrimitive(numberOf(value, (text) => Number.parseInt(`${text as string}`, 10)));
    case '%f':
      return typeof value === 'symbol'
        ? 'NaN'
        : showPrimitive(numberOf(value, (text) => Number.parseFloat(`${text as string}`)));
    case '%j':
      try {
        return JSON.stringify(value) ?? 'undefined';
      } catch (error) {
        const { message } = error as Error;
        return /circular/i.test(message) ? '[Circular]' : `[not JSON: ${message}]`;
      }
    case '%o':
      return inspect(value, { showHidden: true, depth: 4 });
    case '%O':
      return inspect(value);
    default:
      return '';
  }
}

function numberOf(value: unknown, convert: (value: unknown) => number): number {
  try {
    return convert(value);
  } catch {
    return Number.NaN;
  }
}

/** Whether a class of the user's own gives the object a text form. */
function hasOwnText(value: object): boolean {
  try {
    const { toString: toText, [Symbol.toPrimitive]: toPrimitive } = value as {
      toString?: unknown;
      [Symbol.toPrimitive]?: unknown;
    };
    if (typeof toPrimitive === 'function' && toPrimitive !== Date.prototype[Symbol.toPrimitive]) return true;
    return typeof toText === 'function' && !builtinTexts.includes(toText);
  } catch {
    return false;
  }
}

const builtinTexts: unknown[] = [Object, Array, Function, Date, Error].map((Class) => Class.prototype.toString);
