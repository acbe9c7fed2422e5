import { bridge } from './bridge.ts';
import { kit } from './kit.ts';
import { outgoing } from './outgoing.ts';
import { thrown } from './thrown.ts';

/**
 * A script that evaluates to what the bridge returns, the function by which the child enters the context. Strict, as the modules are: stack
 * frames and `caller` would hand out the functions of sloppy code, and this one is a way around the limits.
 */
export function bridgeSource(): string {
  return `(()=>{"use strict";return(${String(bridge)})(${String(kit)},${String(outgoing)},${String(thrown)})})()`;
}
