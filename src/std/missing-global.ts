const packagesPage = 'See the guide: fn docs packages-and-node';

/** Globals that packages expect and functions do not have, with what to use instead. */
const instead: Readonly<Record<string, string>> = {
  WebAssembly: `Functions cannot run WebAssembly. Use a plain JavaScript package, or a build without it. ${packagesPage}`,
  SharedArrayBuffer: `Functions have no shared memory, since each runs in a single thread. Use a package without it. ${packagesPage}`,
  Atomics: `Functions have no shared memory, since each runs in a single thread. Use a package without it. ${packagesPage}`,
  document: 'Only a Custom View has a page. In other functions use a package that works without one.',
  window: 'Only a Custom View has a page. In other functions use globalThis, or a package that works without a page.',
  localStorage: 'Keep values with sdk.store.',
  sessionStorage: 'Keep values with sdk.store.',
  XMLHttpRequest: 'Use fetch, or a package that uses it.',
};

const pattern = new RegExp(String.raw`\b(${Object.keys(instead).join('|')}) is not defined\b`);

/** What to do about a `ReferenceError` for a global that functions do not have; undefined for any other message. */
export function missingGlobalHint(message: string): string | undefined {
  const name = pattern.exec(message)?.[1];
  return name === undefined ? undefined : instead[name];
}
