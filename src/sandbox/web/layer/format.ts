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
      if (typeof value === 'string') return value;
      if (typeof value === 'object' && value !== null)
        return hasOwnText(value) ? `${value}` : inspect(value, { depth: 0 });
      return typeof value === 'function' && !hasOwnText(value) ? inspect(value) : showPrimitive(value);
    case '%d':
      return typeof value === 'bigint'
        ? `${value}n`
        : typeof value === 'symbol' || (typeof value === 'object' && value !== null)
          ? 'NaN'
          : showPrimitive(Number(value));
    case '%i':
      return typeof value === 'bigint'
        ? `${value}n`
        : typeof value === 'symbol' || (typeof value === 'object' && value !== null)
          ? 'NaN'
          : showPrimitive(Number.parseInt(`${value as string}`, 10));
    case '%f':
      return typeof value === 'symbol' ? 'NaN' : showPrimitive(Number.parseFloat(`${value as string}`));
    case '%j':
      try {
        return JSON.stringify(value) ?? 'undefined';
      } catch {
        return '[Circular]';
      }
    case '%o':
      return inspect(value, { showHidden: true, depth: 4 });
    case '%O':
      return inspect(value);
    default:
      return '';
  }
}

/** Whether a class of the user's own gives the object a text form. */
function hasOwnText(value: object): boolean {
  if (value instanceof Error) return true;
  try {
    const { toString: toText } = value as { toString?: unknown };
    return (
      typeof toText === 'function' &&
      toText !== Object.prototype.toString &&
      toText !== Array.prototype.toString &&
      toText !== Function.prototype.toString &&
      toText !== Date.prototype.toString
    );
  } catch {
    return false;
  }
}
