/**
 * What the npm scripts load first (`--import`): says what to do where they cannot work, as they stand on what an install script of a package
 * and "pre" scripts of ours did, and npm runs neither with `ignore-scripts`. Plain JavaScript, which old versions of Node read as well.
 */
import { isNewEnough } from '../bin/launch.js';

const { version, env } = process;
if (!isNewEnough(process.versions.node)) {
  stop(
    `this repository runs on Node 24.15 or later (not 25), and its own is not installed; this is Node ${version.slice(1)}`,
    'npm ci --ignore-scripts=false brings it: the install script of the package "node" fetches the program. Or install Node 24 from https://nodejs.org',
  );
}
if (env.npm_lifecycle_event === 'test' && env.npm_config_ignore_scripts === 'true') {
  stop('npm leaves out what comes before the tests, because ignore-scripts is set', 'npm test --ignore-scripts=false');
}

function stop(message, hint) {
  process.stderr.write(`error ${message}\n→ ${hint}\n`);
  process.exit(2);
}
