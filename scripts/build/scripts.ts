import { createHash } from 'node:crypto';
import { transform } from 'esbuild';

/**
 * What the fake timers of test runners replace in a process. Scripts get their own as `bin/load.js` found them, in this order: a workspace
 * of `convo-fn/testing` goes on while the timers of a test stand still.
 */
const runnersFake = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'queueMicrotask',
  'Date',
];

/**
 * A module as a script: a function of what CommonJS gives to a module, for `bin/load.js`. Of a script V8's code can be kept as it is when
 * the program has run; of a module Node keeps it as it was before.
 */
export async function scriptOf(text: string): Promise<string> {
  const { code: written, warnings } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    minifyWhitespace: true,
    charset: 'ascii',
    legalComments: 'none',
    // What is loaded late is loaded by the same loader.
    supported: { 'dynamic-import': false },
    define: {
      'import.meta.dirname': '__dirname',
      'import.meta.filename': '__filename',
    },
  });
  if (warnings[0]) throw new Error(`no script: ${warnings[0].text}`);
  const code = asAscii(written);
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 16);
  return `/*${hash}*/(function(exports,require,module,__filename,__dirname,${runnersFake.join()}){${code}\n})`;
}

/** The compiler leaves signs of tagged templates and of regular expressions as they are; written so they mean the same there. */
function asAscii(code: string): string {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * The module that is imported from outside, where the script of the same entry does the work. It asks Node itself for the loader: Jest would
 * load another for each test file, in the realm of its tests.
 */
export function faceOf(script: string, names: readonly string[], use: string): string {
  const loaded = loadedByNode('import.meta.url', script, use);
  const list = names.join(',');
  return names.length === 0 ? `${loaded};` : `const{${list}}=${loaded};export{${list}};`;
}

/** The same for `require`, for runners of tests that know no other. */
export function commonFaceOf(script: string, names: readonly string[], use: string): string {
  return `const{${names.join(',')}}=${loadedByNode('__filename', script, use)};module.exports={${names.join(',')}};`;
}

function loadedByNode(here: string, script: string, use: string): string {
  const process = 'process.getBuiltinModule("node:vm").runInThisContext("process")';
  const require = `${process}.getBuiltinModule("node:module").createRequire(${here})`;
  return `${require}("../bin/load.js").load(${JSON.stringify(script)},${JSON.stringify(use)})`;
}
