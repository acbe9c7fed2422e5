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

/** V8's own words when an array buffer does not fit into the memory that the function may use. */
const noRoom = /\bArray buffer allocation failed\b/;

/** The compiler's words for an import whose name is not in the source. */
const unbundled = /\bDynamic require of .{1,500} is not supported\b/;

/**
 * What to do about an error that comes from the limits of functions: a `ReferenceError` for a global that they do not have, or too little
 * memory, or a module that is not in the bundle; undefined for any other message.
 */
export function thrownHint(message: string): string | undefined {
  if (noRoom.test(message))
    return 'The memory of the function is used up (limits.memoryMb). Work on smaller pieces, or keep fewer of them.';
  if (unbundled.test(message))
    return "A bundle holds what is imported by a fixed name. Import each module that may be needed, and choose among them: ({ a: () => import('./a.js') })[name]()";
  const name = pattern.exec(message)?.[1];
  return name === undefined ? undefined : instead[name];
}
