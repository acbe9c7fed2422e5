import { refusal } from '../../contract/index.ts';
import type { MachineHandlers } from '../door.ts';
import { appHandlers } from './apps.ts';
import { deploymentHandlers } from './deployments.ts';
import { functionHandlers } from './functions.ts';
import { localHandlers } from './local.ts';
import { ourHandlers } from './ours.ts';
import type { MachineParts } from './parts.ts';
import { Turns } from './turns.ts';

export type { MachineParts } from './parts.ts';

/** Handlers of all operations that need a machine; the compiler reports a missing one. */
export function machineHandlers(parts: MachineParts): MachineHandlers {
  const { workspace } = parts;
  const turns = new Turns();
  return {
    ...functionHandlers(parts),
    ...ourHandlers(parts),
    ...appHandlers(parts, turns),
    ...deploymentHandlers(parts, turns),
    ...localHandlers(parts),
    // Their events are sent over HTTP as they happen.
    'events.stream': () => Promise.reject(streamOverHttp('events.stream')),
    'listeners.stream': () => Promise.reject(streamOverHttp('listeners.stream')),
    // The door takes JSON only: the HTTP face passes bytes to the workspace as they arrive.
    'media.upload': () => Promise.reject(bytesOverHttp('media.upload')),
    'deployments.putFile': () => Promise.reject(bytesOverHttp('deployments.putFile')),
    'media.get': ({ mediaId }) => workspace.media.read(mediaId),
    'deployments.getFile': (input) => workspace.deployments.getFile(input),
  };
}

function streamOverHttp(name: string) {
  return refusal('operation_not_allowed', `${name} is an event stream: read it over HTTP`);
}

function bytesOverHttp(name: string) {
  return refusal('content_type_unsupported', `${name} takes bytes: send them over HTTP`);
}
