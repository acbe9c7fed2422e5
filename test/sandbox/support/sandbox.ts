import { after } from 'node:test';
import { openSandbox, type Sandbox, type SandboxOptions } from '../../../src/sandbox/index.ts';
import { plainPrelude } from './plain-layer.ts';

export * from './programs.ts';

/** A sandbox with the web layer and the least possible sdk, closed when the file's tests are over. */
export function aSandbox(options: Partial<SandboxOptions> = {}): Sandbox {
  const sandbox = openSandbox({ prelude: plainPrelude, ...options });
  after(() => sandbox.close());
  return sandbox;
}
