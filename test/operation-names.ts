import { operationNames } from '../src/contract/index.ts';

const names = new RegExp(`'((?:${operationNames.map((name) => name.replace('.', '\\.')).join('|')}))'`, 'g');
const areas = [...new Set(operationNames.map((name) => name.split('.')[0]))];
const prefixes = new RegExp(`'((?:${areas.join('|')})\\.)'`, 'g');

/**
 * Names of operations in a text other than to call one, `call('customers.get', …)` or `{ operation: 'customers.get', … }`, or for its types, `Input<'customers.get'>`:
 * the members of a list, a case, a comparison, a prefix.
 * @param keysAllowed whether a name may be a key: `'customers.get': …`, `async 'customers.get'(…)`
 */
export function strayNames(text: string, keysAllowed: boolean): string[] {
  const code = text.replace(/^\s*(?:\/\/|\/\*|\*).*$/gm, '');
  const found = [...code.matchAll(names)].filter(({ 0: quoted, index }) => {
    const before = code.slice(0, index).trimEnd();
    const after = code.slice(index + quoted.length).trimStart();
    if (keysAllowed && /^[:(]/.test(after)) return false;
    if (/\boperation:$/.test(before)) return false;
    if (/[<,]$/.test(before) && after.startsWith('>')) return false;
    if (/[\w)\]]\[$/.test(before) && after.startsWith(']')) return false;
    return !(/[(,]$/.test(before) && isArgument(before));
  });
  return [...found, ...code.matchAll(prefixes)].map(([, name = '']) => name);
}

/** Whether a place is inside the round brackets of a call. */
function isArgument(before: string): boolean {
  let depth = 0;
  for (let at = before.length - 1; at >= 0; at--) {
    const character = before[at] ?? '';
    if (')]}'.includes(character)) depth++;
    else if ('([{'.includes(character) && --depth < 0)
      return character === '(' && /[\w)\]>]$/.test(before.slice(0, at));
  }
  return false;
}
