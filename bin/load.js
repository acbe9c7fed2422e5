// Runs what `dist` holds: scripts, each a function of what CommonJS gives to a module (scripts/build/scripts.ts makes them), with what V8
// made of them before. Node's own cache of compiled code is made before a program runs, and lacks nearly all of its functions; this one
// is made when it has run, and holds those that it called. It is machine code, so it lies in folders of the user's own, which nobody
// else can write to. All in one file: each that Node loads takes half a millisecond.

const builtin = process.getBuiltinModule;
// Missing in a Node that is too old, which reads this file and never calls it.
const fs = builtin?.('node:fs');
const vm = builtin?.('node:vm');

const dayMs = 24 * 60 * 60 * 1000;
const forgottenMs = 30 * dayMs;
/** Behind the code: a sum of it, and the day on which it was written. */
const tailBytes = 8;

/** What nobody calls V8 forgets after a while: in a program that goes on, that is what its start called. */
const keepAfterMs = 15_000;

export const root = decodeURIComponent(new URL('..', import.meta.url).pathname)
  .replace(/^\/([A-Za-z]:)/, '$1')
  .replace(/\/$/, '');

/** As scripts/build/scripts.ts names them, and as they are before the fake timers of a test runner replace them. */
const timers = [
  setTimeout,
  clearTimeout,
  setInterval,
  clearInterval,
  setImmediate,
  clearImmediate,
  queueMicrotask,
  Date,
];

const modules = new Map();
/** By the name under which V8's code of them is kept: those that have none, or none of today. */
const toKeep = new Map();
let dist;
let folder;
let isTrusted;
let requireForeign;

/** What `engines` in package.json says: 24.15 and later, but not 25 (its V8 crashes the sandbox). */
export function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return (major === 24 && minor >= 15) || major >= 26;
}

/** Of tests that import this package: whoever starts the command line was told, or runs under another Node, before this. */
function refuseOthers() {
  const { bun, node } = process.versions;
  if (bun)
    throw new Error(
      `convo-fn/testing needs Node, this is Bun ${bun}: run the tests with "fn test", or with a runner that Node runs`,
    );
  if (!isNewEnough(node)) throw new Error(`convo-fn needs Node 24.15 or later (not 25); this is Node ${node}`);
}

/**
 * @param path below `dist`
 * @param use what this process does, as a command: what is called in a script depends on it
 * @returns what the script exports
 */
export function load(path, use) {
  if (use === 'testing') refuseOthers();
  folder ??= codeFolder(use);
  // As Node does with modules: what is a link in one place only is still one file, and the sandbox may read no other.
  dist ??= fs.realpathSync.native(`${root}/dist`);
  return run(`${dist}/${path}`);
}

function run(path) {
  const known = modules.get(path);
  if (known) return known.exports;
  const module = { exports: {} };
  modules.set(path, module);
  const script = compiled(path);
  const place = path.slice(0, path.lastIndexOf('/'));
  const require = (name) => (name.startsWith('.') ? run(joined(place, name)) : (builtin(name) ?? foreign(name)));
  script.runInThisContext()(module.exports, require, module, path, place, ...timers);
  return module.exports;
}

function compiled(path) {
  // The build promises one byte a character, and begins with a hash of the rest in a comment.
  const text = fs.readFileSync(path, 'latin1');
  if (!folder) return new vm.Script(text, { filename: path });
  const name = `${path.slice(path.lastIndexOf('/') + 1)}-${text.slice(2, text.indexOf('*/'))}`;
  isTrusted ??= isOwn(folder);
  const code = isTrusted ? readCode(folder, name) : undefined;
  const script = new vm.Script(text, { filename: path, cachedData: code?.bytes });
  if (!code || code.isOld || script.cachedDataRejected) {
    if (toKeep.size === 0) keepLater();
    toKeep.set(name, script);
  }
  return script;
}

function keepLater() {
  const [setTimeout, clearTimeout] = timers;
  const keep = () => {
    clearTimeout(timer);
    process.off('exit', keep);
    for (const [name, script] of toKeep) keepCode(folder, name, script);
    toKeep.clear();
  };
  const timer = setTimeout(keep, keepAfterMs);
  timer.unref();
  process.on('exit', keep);
}

/** Scripts name each other as `./a.js`, `./chunks/a.js` or `../a.js`. */
function joined(place, name) {
  return name.startsWith('../') ? joined(place.slice(0, place.lastIndexOf('/')), name.slice(1)) : place + name.slice(1);
}

/** What is installed beside this package. */
function foreign(name) {
  requireForeign ??= builtin('node:module').createRequire(import.meta.url);
  return requireForeign(name);
}

/** Where this user's caches are; undefined where nobody is at home, or caches of code are switched off. */
export function cacheHome({ NODE_DISABLE_COMPILE_CACHE, XDG_CACHE_HOME, HOME, LOCALAPPDATA } = process.env) {
  if (NODE_DISABLE_COMPILE_CACHE !== undefined) return undefined;
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

/** @param use what is called depends on it, so each has a folder: the command */
function codeFolder(use) {
  const home = cacheHome();
  return home && `${home}/convo-fn/code/${process.versions.v8}-${process.arch}/${use}`;
}

/** Whether code may be taken from there: others have no way to write it. */
function isOwn(folder) {
  let stat;
  try {
    stat = fs.statSync(folder, { throwIfNoEntry: false });
  } catch {
    // The home of somebody else.
  }
  if (stat === undefined || process.platform === 'win32') return stat !== undefined;
  return stat.uid === process.getuid() && (stat.mode & 0o022) === 0;
}

/** @returns bytes, and whether they are of today; undefined where there are none, or they are damaged */
function readCode(folder, name) {
  try {
    const kept = fs.readFileSync(`${folder}/${name}`);
    const bytes = kept.subarray(0, -tailBytes);
    if (sumOf(bytes) !== kept.readInt32LE(bytes.length)) return undefined;
    return { bytes, isOld: kept.readInt32LE(bytes.length + 4) !== today() };
  } catch {
    return undefined;
  }
}

/** Never fails: the next run makes it again. */
function keepCode(folder, name, script) {
  const draft = `${folder}/${name}.${process.pid}`;
  try {
    makeFolders(folder);
    const descriptor = fs.openSync(draft, 'wx', 0o600);
    try {
      const bytes = script.createCachedData();
      const tail = Buffer.alloc(tailBytes);
      tail.writeInt32LE(sumOf(bytes));
      tail.writeInt32LE(today(), 4);
      fs.writeFileSync(descriptor, Buffer.concat([bytes, tail]), { flush: true });
    } finally {
      fs.closeSync(descriptor);
    }
    fs.renameSync(draft, `${folder}/${name}`);
    removeForgotten(folder);
  } catch {
    try {
      fs.rmSync(draft, { force: true });
    } catch {}
  }
}

/** One by one, and none above the cache: Node would try for ever to make one below `/proc`, which is the home of some services. */
export function makeFolders(folder) {
  const home = cacheHome();
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

/** What other versions of this package left. */
function removeForgotten(folder) {
  for (const name of fs.readdirSync(folder)) {
    const file = `${folder}/${name}`;
    if (Date.now() - fs.statSync(file).mtimeMs > forgottenMs) fs.rmSync(file, { force: true });
  }
}

const today = () => Math.trunc(Date.now() / dayMs);

/**
 * V8 itself takes what it is given. What a machine that lost its power left of a file are whole blocks of zeros, so a word of each 256
 * bytes tells; a look at all of them would take what the code saves.
 */
function sumOf({ buffer, byteOffset, length }) {
  const words = new Int32Array(buffer, byteOffset, length >> 2);
  let sum = length;
  for (let at = 0; at < words.length; at += 64) sum = (Math.imul(sum, 31) + words[at]) | 0;
  return sum;
}
