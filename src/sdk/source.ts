import { clientSdk } from './client-sdk.ts';
import { frameHeight } from './frame-height.ts';
import { areas } from './prelude/areas.ts';
import { emptied } from './prelude/emptied.ts';
import { headers } from './prelude/headers.ts';
import { kit } from './prelude/kit.ts';
import { prelude } from './prelude/prelude.ts';
import { request } from './prelude/request.ts';
import { result } from './prelude/result.ts';
import { standIn } from './prelude/stand-in.ts';
import { sdkTable } from './table.ts';
import { thrownIn } from './thrown.ts';
import { viewArguments } from './view-arguments.ts';

/** The script that defines `__prelude` in every context of the sandbox. Strict, as the modules are: user code sees the functions of sloppy code. */
export async function preludeSource(): Promise<string> {
  const parts = Object.entries({ kit, areas, emptied, headers, request, result, standIn }).map(
    ([name, part]) => `${name}:${String(part)}`,
  );
  return `(()=>{"use strict";(${String(prelude)})(${JSON.stringify(sdkTable('sdk'))},{${parts.join(',')}})})();0;`;
}

/** The script that runs first in the frame of a Custom View: an expression, called with the frame's window. */
export async function clientSdkSource(): Promise<string> {
  return `(${String(clientSdk)})(${JSON.stringify(sdkTable('client'))},window,${String(thrownIn)},${String(frameHeight)},${String(emptied)},(${String(viewArguments)})())`;
}
