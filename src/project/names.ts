import { isWindowsDevice } from '../std/index.ts';

export interface NameProblem {
  readonly code: 'name_invalid' | 'name_reserved' | 'name_too_long';
  readonly message: string;
  readonly hint: string;
}

/** Apps that every workspace has, whose paths are taken. */
const builtInApps = ['template-app', 'session-link-app'];

/** Names with a special meaning to JavaScript or npm. */
const meaningful = ['__proto__', 'constructor', 'prototype', 'node_modules'];

const longest = 200;

/** Says why an app cannot have this name. */
export function appNameProblem(name: string): NameProblem | undefined {
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(name))
    return {
      code: 'name_invalid',
      message: `${shown(name)} cannot be the name of an app`,
      hint: 'Use lower-case letters, digits and dashes, such as order-desk: the name is a segment of every path.',
    };
  if (builtInApps.includes(name))
    return {
      code: 'name_reserved',
      message: `${name} is a built-in app of every workspace`,
      hint: 'Choose another name.',
    };
  return reservedProblem(name);
}

/**
 * Says why a function cannot have this name. A function's name is its path below functions/ without the extension: `api/orders/find`.
 * Refuses names that another machine could not store or that would leave the folder.
 */
export function functionNameProblem(name: string): NameProblem | undefined {
  if (name.length > longest)
    return {
      code: 'name_too_long',
      message: `the name ${shown(name)} has more than ${longest} characters`,
      hint: 'Shorten it or its folders.',
    };
  for (const segment of name.split('/')) {
    if (segment === '..' || segment === '.')
      return {
        code: 'name_invalid',
        message: `${shown(name)} would leave the folder functions/`,
        hint: 'Use a path below functions/, such as api/orders/find.',
      };
    if (!/^[A-Za-z0-9_][\w.-]*$/.test(segment) || segment.endsWith('.'))
      return {
        code: 'name_invalid',
        message: `${shown(name)} cannot be the name of a function`,
        hint: `Use letters, digits, dashes, underscores and dots${suggestion(name)}.`,
      };
    const reserved = reservedProblem(segment);
    if (reserved !== undefined) return reserved;
  }
  return undefined;
}

/** Suggests a valid name: `Send Offer!` → `send-offer`. Empty when no character is usable. */
export function tidyName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .split(/[/\\]+/)
    .map((segment) =>
      segment
        .trim()
        .replace(/[^A-Za-z0-9_.-]+/g, '-')
        .replace(/^[-.]+|[-.]+$/g, ''),
    )
    .filter((segment) => segment !== '')
    .join('/');
}

function reservedProblem(segment: string): NameProblem | undefined {
  if (isWindowsDevice(segment))
    return {
      code: 'name_reserved',
      message: `${segment} is the name of a device on Windows, where no file can have it`,
      hint: `Choose another name, such as my-${segment.split('.')[0]?.toLowerCase()}.`,
    };
  if (meaningful.includes(segment))
    return {
      code: 'name_reserved',
      message: `${segment} means something else to JavaScript or npm`,
      hint: 'Choose another name.',
    };
  return undefined;
}

function suggestion(name: string): string {
  const tidy = tidyName(name);
  // If nothing is left of the last part, the rest would be the name of its folder.
  const isWhole = tidyName(name.split(/[/\\]/).at(-1) ?? '') !== '';
  return isWhole && tidy !== name ? `, as ${tidy}` : '';
}

function shown(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
}
