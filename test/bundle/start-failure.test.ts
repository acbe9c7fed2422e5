import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compilerUnavailable } from '../../src/bundle/compiler/start-failure.ts';

const said = (message: string, code?: string) => {
  const error = compilerUnavailable(Object.assign(new Error(message), code === undefined ? {} : { code }));
  return `${error.message} → ${error.hint}`;
};

test('packages that were copied from another platform are told to be installed again', () => {
  const theirs = `
You installed esbuild for another platform than the one you're currently using.
This won't work because esbuild is written with native code and needs to
install a platform-specific binary executable.

Specifically the "@esbuild/darwin-arm64" package is present but this platform
needs the "@esbuild/linux-x64" package instead.`;
  assert.match(
    said(theirs),
    /^[^\n]* installed for another platform[^\n]* → Install the packages again on this machine/,
  );
});

test('what was left out of the installation is named', () => {
  const theirs = 'The package "@esbuild/linux-x64" could not be found, and is needed by esbuild.\n\nIf you are …';
  assert.match(said(theirs), /the package @esbuild\/linux-x64 is not installed → Install .* without --omit=optional/);
  assert.match(
    said("Cannot find module 'esbuild'\nRequire stack:", 'MODULE_NOT_FOUND'),
    /package esbuild is not installed/,
  );
});

test('a machine that does not allow another process is told apart from a program that does not run', () => {
  const stopped = 'The service was stopped: spawn /app/node_modules/@esbuild/linux-x64/bin/esbuild';
  assert.match(said(`${stopped} EAGAIN`), /does not allow another process \(EAGAIN\) → .*ulimit -u/);
  assert.match(said(`${stopped} EACCES`), /\/bin\/esbuild may not be executed → .*noexec/);
  assert.match(said(`${stopped} ENOENT`), /\/bin\/esbuild does not run \(ENOENT\) → Install/);
});

test('a program of another version than its package is said to be one', () => {
  const theirs = 'Cannot start service: Host version "0.28.2" does not match binary version "0.27.0"';
  assert.match(said(theirs), /of another version than its package → /);
});
