import { bridge } from './bridge.ts';
import { kit } from './kit.ts';
import { outgoing } from './outgoing.ts';
import { thrown } from './thrown.ts';

/** A script that evaluates to what the bridge returns, the function by which the child enters the context. */
export function bridgeSource(): string {
  return `(${String(bridge)})(${String(kit)},${String(outgoing)},${String(thrown)})`;
}
