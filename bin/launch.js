// What both executables do first, in one file. Plain JavaScript that older versions of Node read as well, because it is what tells
// them that they are too old.

// Not by import: that wakes the lazy parts of these modules and takes 5 ms. Without it Node is too old anyway.
const builtin = process.getBuiltinModule;
const fs = builtin?.('node:fs');

const root = decodeURIComponent(new URL('..', import.meta.url).pathname)
  .replace(/^\/([A-Za-z]:)/, '$1')
  .replace(/\/$/, '');

/** What `engines` in package.json says: 24.15 and later, but not 25 (its V8 crashes the sandbox). */
export function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return (major === 24 && minor >= 15) || major >= 26;
}

/** Of tests that import this package: whoever starts the command line was told, or runs under another Node, before this. */
export function refuseOthers() {
  const { bun, node } = process.versions;
  if (bun)
    throw new Error(
      `convo-fn/testing needs Node, this is Bun ${bun}: run the tests with "fn test", or with a runner that Node runs`,
    );
  if (!isNewEnough(node)) throw new Error(`convo-fn needs Node 24.15 or later (not 25); this is Node ${node}`);
}

/** Starts the command line with `before` in front of the arguments given. */
export function launch(before) {
  const given = process.argv.slice(2);
  if (!isNewEnough(process.versions.node)) return rerun();
  // A test run by this process may start `fn` by the old Node again: that is another rerun, not this one failing.
  delete process.env.FN_RERUN;
  if (given.length === 1 && ['--version', '-V', '-v'].includes(given[0])) return printVersion();
  cacheCompiledCode();
  // The published package has `dist` alone. In a checkout `src` runs as it stands, unless `dist` was built from it.
  import(isBuilt() ? '../dist/main.js' : '../src/main.ts').then(({ main }) => main([...before, ...given]), broken);
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

/**
 * Node keeps what V8 compiled, in a folder of this user's own: others must have no way to write it. Without a folder everything works, a
 * little slower.
 */
function cacheCompiledCode() {
  const home = cacheHome();
  // Node's own variables: it has a cache already, or is told to have none.
  if (!home || process.env.NODE_COMPILE_CACHE !== undefined || process.env.NODE_DISABLE_COMPILE_CACHE !== undefined)
    return;
  const folder = `${home}/convo-fn/compiled`;
  try {
    if (!isOwn(folder)) makeFolders(home, folder);
    if (isOwn(folder)) builtin('node:module').enableCompileCache(folder);
  } catch {}
}

/** Where this user's caches are; undefined where nobody is at home. `src/std/cache-folder.ts` has the same rule. */
export function cacheHome({ XDG_CACHE_HOME, HOME, LOCALAPPDATA } = process.env) {
  return (
    (isAbsolute(XDG_CACHE_HOME) && XDG_CACHE_HOME) ||
    (isAbsolute(HOME) && `${HOME}/.cache`) ||
    LOCALAPPDATA ||
    undefined
  );
}

/** Others are to be ignored, says the specification of that variable. */
function isAbsolute(path = '') {
  return /^(?:\/|[A-Za-z]:[\\/])/.test(path);
}

function isOwn(folder) {
  const stat = fs.statSync(folder, { throwIfNoEntry: false });
  if (stat === undefined || process.platform === 'win32') return stat !== undefined;
  return stat.uid === process.getuid() && (stat.mode & 0o022) === 0;
}

/** One by one, and none above the cache: Node would try for ever to make one below `/proc`, which is the home of some services. */
function makeFolders(home, folder) {
  let made = home;
  for (const name of ['', ...folder.slice(home.length + 1).split('/')]) {
    if (name) made += `/${name}`;
    try {
      fs.mkdirSync(made, { mode: 0o700 });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
}

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
