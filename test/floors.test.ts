import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { packageFile } from '../src/std/index.ts';
import { strayNames } from './operation-names.ts';
import {
  circles,
  importsBetweenRooms,
  libraryImports,
  roomOf,
  sourceFiles,
  unreachableFiles,
  unusedExports,
} from './source-tree.ts';

/** The floors of the house; rooms of one floor do not know each other. See CONTRIBUTING. */
const floors: readonly (readonly string[])[] = [
  ['std'],
  ['contract'],
  ['sdk'],
  ['project', 'bundle', 'sandbox', 'workspace', 'agent', 'mcp', 'flow', 'webhook', 'client', 'console'],
  ['apps', 'emulator', 'deploy'],
  ['dev', 'testing'],
  ['cli'],
  ['main.ts', 'index.ts'],
];

/** Rooms with more than one face, and why. */
const otherFaces: readonly { face: string; why: string }[] = [
  { face: 'contract/shapes/index.ts', why: 'loads the schema library, which one-line commands do without' },
  {
    face: 'contract/function-config/index.ts',
    why: 'knows schedules and schemas, which the table of operations does not need',
  },
  {
    face: 'sandbox/early.ts',
    why: 'forks the child in the first line of a command that runs functions, before the room itself is loaded',
  },
  {
    face: 'project/access.ts',
    why: 'where a workspace is and what opens it: `send-template` is over before the rest of the room would be loaded',
  },
  {
    face: 'contract/linear-pattern.ts',
    why: 'loads the pattern library, which only conditions of flows need beside Ajv',
  },
  { face: 'emulator/sources/local/state-files.ts', why: 'tells whether `fn dev` runs without loading the emulator' },
];

/** In which rooms a library may be named. What stands for Node's modules in functions is the bundler's own affair. */
const libraries: Readonly<Record<string, readonly string[]>> = {
  ajv: ['contract'],
  'ajv-formats': ['contract'],
  re2js: ['contract'],
  zod: ['contract'],
  // Whether a schedule is one is a rule; when its job is due, the scheduler's work.
  croner: ['contract', 'emulator'],
  conf: ['project'],
  'json-schema-faker': ['cli'],
  // The sandbox's web platform is made of parts when the package is built.
  esbuild: ['bundle', 'sandbox/web/build.ts', 'console/build.ts'],
  chokidar: ['bundle'],
  'isolated-vm': ['sandbox'],
  // The bytes and bodies of functions are npm's and undici's own files.
  '@exodus/bytes': ['sandbox'],
  buffer: ['sandbox'],
  ws: ['sandbox'],
  'urlpattern-polyfill': ['sandbox'],
  'web-streams-polyfill': ['sandbox'],
  preact: ['console'],
  '@preact/signals': ['console'],
  kysely: ['workspace'],
  'libphonenumber-js': ['workspace'],
  'node:sqlite': ['workspace'],
  // Models are spoken to in one room; of its types it needs those of the provider's interface.
  ai: ['agent'],
  '@ai-sdk/anthropic': ['agent'],
  '@ai-sdk/openai': ['agent'],
  '@ai-sdk/openai-compatible': ['agent'],
  '@ai-sdk/provider': ['agent'],
  undici: ['client', 'sandbox', 'webhook'],
  'eventsource-parser': ['agent'],
  rfc6902: ['agent'],
  '@modelcontextprotocol/client': ['mcp'],
  '@modelcontextprotocol/node': ['mcp'],
  // The Claude Agent SDK takes the tools of a run as a server inside this process.
  '@modelcontextprotocol/server': ['mcp', 'agent'],
  '@dagrejs/dagre': ['flow'],
  commander: ['cli'],
  kleur: ['cli'],
  '@inquirer/prompts': ['cli'],
  uqr: ['cli'],
};

/** Files that nothing in src imports because something else starts them, and what that is. */
const entries: readonly { file: string; why: string }[] = [
  { file: 'main.ts', why: 'bin/launch.js' },
  { file: 'index.ts', why: 'what authors import: convo-fn' },
  { file: 'testing/index.ts', why: 'what tests of authors import: convo-fn/testing' },
  { file: 'testing/resolve-self.ts', why: '`fn test` gives it to the test runner' },
  { file: 'sandbox/child/main.ts', why: 'the process of the sandbox' },
  { file: 'workspace/database/build.ts', why: 'scripts/build.ts' },
  { file: 'console/build.ts', why: 'scripts/build.ts, and the console in development' },
  { file: 'console/browser/main.tsx', why: 'bundled by console/build.ts' },
  { file: 'sandbox/web/build.ts', why: 'scripts/build.ts, and the sandbox in development' },
  { file: 'sandbox/web/layer/', why: 'bundled by sandbox/web/build.ts, part by part, by the names in its lists' },
  { file: 'bundle/shims/', why: 'what stands for Node’s modules in functions: bundled by bundle/shims.ts' },
  { file: 'apps/', why: 'custom functions of ours: bundled as those of any app' },
];

/** Where an operation's name may stand as a key, because the compiler compares the keys with the table. */
const handlerPlaces = [
  'workspace/handlers/',
  'emulator/handlers/',
  'emulator/http/bytes.ts',
  'emulator/http/streams.ts',
  'client/simulations.ts',
];

/** Other names of operations, and why. */
const namedOperations: readonly { file: string; name: string; why: string }[] = [
  {
    file: 'cli/workspaces/embedded.ts',
    name: 'functions.invoke',
    why: 'our own commands give it typed input, and would load the schema library for this alone',
  },
  {
    file: 'workspace/invocations/write-with-events.ts',
    name: 'functions.invoke',
    why: 'an event says by which operation it came about, and this one has no handler on the state',
  },
];

const floorOf = (room: string): number => floors.findIndex((rooms) => rooms.includes(room));

test('every room stands on a floor, and no floor has a room that is not there', () => {
  const rooms = new Set(sourceFiles().map(roomOf));
  assert.deepEqual(floors.flat().sort(), [...rooms].sort());
});

test('every import goes down a floor', () => {
  const wrong = importsBetweenRooms().filter(({ from, to }) => floorOf(to) >= floorOf(from));
  assert.deepEqual(
    wrong.map(({ file, target }) => `${file} imports ${target}`),
    [],
  );
});

test('a room is entered through its face', () => {
  const faces = otherFaces.map(({ face }) => face);
  const wrong = importsBetweenRooms().filter(
    ({ to, target }) => target !== `${to}/index.ts` && !faces.includes(target),
  );
  assert.deepEqual(
    wrong.map(({ file, target }) => `${file} imports ${target}`),
    [],
  );
});

test('only what stands for an app’s folder reads apps and builds them, in the emulator', () => {
  const readers = importsBetweenRooms().filter(
    ({ from, to }) => from === 'emulator' && /^(?:project|bundle)$/.test(to),
  );
  assert.deepEqual(
    readers
      .map(({ file }) => file)
      .filter((file) => !/^emulator\/sources\/(?:local\/|built-in\/build\.ts$)/.test(file)),
    [],
  );
});

test('a library lives in its room', () => {
  const strays = libraryImports().filter(
    ({ file, name }) => !(libraries[name] ?? []).some((place) => file === place || file.startsWith(`${place}/`)),
  );
  assert.deepEqual(
    strays.map(({ file, name }) => `${file} imports ${name}`),
    [],
  );
});

test('every library that is listed is used', () => {
  const used = new Set(libraryImports().map(({ name }) => name));
  assert.deepEqual(
    Object.keys(libraries).filter((name) => !used.has(name)),
    [],
  );
});

test('every second face is used', () => {
  const used = new Set(importsBetweenRooms().map(({ target }) => target));
  assert.deepEqual(
    otherFaces.map(({ face }) => face).filter((face) => !used.has(face)),
    [],
  );
});

test('no files need each other to be loaded', () => {
  assert.deepEqual(circles(), []);
});

test('no file lies in src that nothing leads to', () => {
  assert.deepEqual(unreachableFiles(entries.map(({ file }) => file)), []);
});

test('nothing is exported that no other file names', () => {
  assert.deepEqual(unusedExports(), []);
});

test('no list of operation names stands beside the table', () => {
  const strays = sourceFiles()
    .filter((file) => !file.startsWith('contract/areas/'))
    .flatMap((file) => {
      const keysAllowed = handlerPlaces.some((place) => file.startsWith(place));
      return strayNames(readFileSync(packageFile(`src/${file}`), 'utf8'), keysAllowed).map((name) => ({ file, name }));
    });
  assert.deepEqual(
    strays,
    namedOperations.map(({ file, name }) => ({ file, name })),
  );
});

/** Rooms whose limits are named `max…`, as in the contract; the others follow as they are touched. */
const limitsNamed = ['std', 'project', 'deploy', 'client', 'bundle'];

test('a limit is named max…, not most…', () => {
  const strays = sourceFiles()
    .filter((file) => limitsNamed.includes(file.split('/')[0] ?? ''))
    .flatMap((file) => {
      const found = readFileSync(packageFile(`src/${file}`), 'utf8').match(/\bmost[A-Z]\w*/g) ?? [];
      return found.map((name) => `${file}: ${name}`);
    });
  assert.deepEqual(strays, []);
});
