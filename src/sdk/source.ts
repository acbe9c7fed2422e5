import { clientSdk } from './client-sdk.ts';
import { prelude } from './prelude.ts';
import { sdkTable } from './table.ts';

/** The script that defines `__prelude` in every context of the sandbox. */
export async function preludeSource(): Promise<string> {
  return `(${String(prelude)})(${JSON.stringify(sdkTable('sdk'))});0;`;
}

/** The script that runs first in the frame of a Custom View: an expression, called with the frame's window. */
export async function clientSdkSource(): Promise<string> {
  return `(${String(clientSdk)})(${JSON.stringify(sdkTable('client'))},window)`;
}
