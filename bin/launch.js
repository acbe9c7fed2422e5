// What both executables do first. Plain JavaScript that older versions of Node read as well, because it is what tells
// them that they are too old.

import { cacheHome, isNewEnough, load, makeFolders, root } from './load.js';

export { isNewEnough };

// Not by import: that wakes the lazy parts of these modules and takes 5 ms. Without it Node is too old anyway.
const builtin = process.getBuiltinModule;
const fs = builtin?.('node:fs');

/** Starts the command line with `before` in front of the arguments given. */
export function launch(before) {
  const given = process.argv.slice(2);
  if (!isNewEnough(process.versions.node)) return rerun();
  // A test run by this process may start `fn` by the old Node again: that is another rerun, not this one failing.
  delete process.env.FN_RERUN;
  if (given.length === 1 && ['--version', '-V', '-v'].includes(given[0])) return printVersion();
  const argv = [...before, ...given];
  const functions = runsFunctions(argv);
  built = isBuilt();
  if (functions || !built) cacheCompiledCode();
  if (isOneLiner(argv)) return startOneLiner(argv);
  if (asksForOverview(argv)) return start('help-main', argv);
  if (!functions) return start('main', argv);
  // The sandbox's process starts beside this one, before the rest of this one is loaded.
  open('early-main', argv).then(({ beginEarly }) => start('main', argv, beginEarly()), broken);
}

/** @param handOver called when the command line listens to signals itself: one that comes in between must find a listener */
function start(name, argv, handOver = () => {}) {
  open(name, argv).then(({ main }) => {
    main(argv);
    handOver();
  }, broken);
}

/**
 * Whether functions will run on this machine, as far as that can be told at a glance. A wrong guess costs some milliseconds: a command
 * that needs the sandbox starts it in any case, and one that does not ends it with itself.
 */
function runsFunctions(argv) {
  const [command] = argv;
  if (argv.some((word) => word === '--help' || word === '-h' || word === '--remote')) return false;
  // A running "fn dev" has a sandbox of its own.
  if (command === 'invoke') return !fs.existsSync('.fn/dev.json');
  return command === 'dev' || command === 'build' || command === 'deploy' || command === 'list';
}

/** Called in loops: one file, which says itself when all of `fn` is needed. */
function startOneLiner(argv) {
  open('one-liner-main', argv).then(async ({ main }) => {
    if ((await main(argv)) !== false) return;
    open('main', argv).then((all) => all.main(argv), broken);
  }, broken);
}

function isOneLiner(argv) {
  return argv[0] === 'link' || (argv[0] === 'template' && argv[1] === 'send');
}

function asksForOverview(argv) {
  return argv.length === 0 || (argv.length === 1 && ['help', '--help', '-h'].includes(argv[0]));
}

/**
 * On a Node that is too old: once more under the Node that was installed with this package, where there is one. Not one
 * from the current folder: an unknown repository must not choose the program that runs.
 */
function rerun() {
  const script = process.argv[1];
  Promise.all([import('node:fs'), import('node:child_process'), import('node:os')]).then((modules) => {
    const [{ existsSync }, { spawn }, { constants }] = modules;
    const node = nodesNearby().find((file) => existsSync(file));
    if (node === undefined || process.env.FN_RERUN === '1') return tooOld();
    const child = spawn(node, [script, ...process.argv.slice(2)], {
      stdio: 'inherit',
      env: { ...process.env, FN_RERUN: '1' },
    });
    // A terminal sends Ctrl-C to both; a signal sent to this process alone is passed on. The child decides when to end.
    process.on('SIGINT', () => {});
    for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.on('error', tooOld);
    child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
  });
}

function nodesNearby() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  // The package's own, when this is its repository; the one beside it, when it was installed into a project.
  const folders = [`${root}/node_modules`];
  if (root.endsWith('/node_modules/convo-fn')) folders.push(root.slice(0, -'/convo-fn'.length));
  return folders.flatMap((folder) => [`${folder}/node/bin/${name}`, `${folder}/.bin/${name}`]);
}

// The install script of the package "node" fetches the program; npm 12 runs it only where package.json allows that.
function tooOld() {
  process.stderr.write(
    `error fn needs Node 24.15 or later (not 25); this is Node ${process.versions.node}\n` +
      '→ Install Node 24 from https://nodejs.org, or add it to your project: ' +
      'npm pkg set --json allowScripts.node=true, then npm install --save-dev node@24\n',
  );
  process.exit(2);
}

function printVersion() {
  const { version } = JSON.parse(fs.readFileSync(`${root}/package.json`, 'utf8'));
  try {
    fs.writeSync(1, `${version}\n`);
  } catch (error) {
    // A reader that is gone (EPIPE), as of `fn --version | true`, has got what it wanted.
    if (error.code === 'EPIPE') return;
    process.stderr.write(`error standard output cannot be written: ${error.message}\n`);
    process.exitCode = 1;
  }
}

/** For what Node loads itself: the packages that are installed beside this one, and `src`. */
function cacheCompiledCode() {
  const home = cacheHome();
  if (process.env.NODE_COMPILE_CACHE !== undefined || !home) return;
  const folder = `${home}/convo-fn/compiled`;
  try {
    makeFolders(folder);
  } catch {
    return;
  }
  builtin('node:module').enableCompileCache(folder);
}

/** The published package has `dist` alone. In a checkout `src` runs as it stands, unless `dist` was built from it. */
async function open(name, argv) {
  if (built) return load(`${name}.js`, useOf(argv));
  return import(new URL(`../src/${name}.ts`, import.meta.url).href);
}

/** A name for what will be called: the command, as a name of a folder. */
function useOf([command = 'help', second = '']) {
  return /^[a-z]+$/.test(command) ? `${command}${command === 'template' && second === 'send' ? '-send' : ''}` : 'help';
}

let built;

export function isBuilt() {
  if (!fs.existsSync(`${root}/src/main.ts`)) return true;
  const builtAt = modifiedAt(`${root}/dist/main.js`);
  return builtAt !== undefined && newestIn(`${root}/src`) <= builtAt;
}

function newestIn(folder) {
  let newest = 0;
  for (const item of fs.readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${item.name}`;
    const at = item.isDirectory() ? newestIn(path) : (modifiedAt(path) ?? 0);
    if (at > newest) newest = at;
  }
  return newest;
}

function modifiedAt(path) {
  const stat = fs.statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? undefined : stat.mtimeMs;
}

function broken(error) {
  process.stderr.write(`error fn cannot load its own files: ${error?.stack ?? error}\n`);
  process.stderr.write('→ Install it again. If that does not help, please report it ("npm bugs convo-fn").\n');
  process.exit(70);
}
