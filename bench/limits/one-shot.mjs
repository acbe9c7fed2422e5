// The limit of running a function once: bundle with esbuild, run in an isolate, print. Usage: node one-shot.mjs FILE [cached CODEFILE]
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const ivm = require('isolated-vm');
const code = process.argv[3] ? readFileSync(process.argv[3], 'utf8') : bundle(process.argv[2]);

function bundle(file) {
  const options = {
    entryPoints: [file],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'fn',
    platform: 'neutral',
  };
  return require('esbuild').buildSync(options).outputFiles[0].text;
}

const context = new ivm.Isolate({ memoryLimit: 128 }).createContextSync();
console.log(context.evalSync(`${code};JSON.stringify(fn.default({ n: '7' }))`));
