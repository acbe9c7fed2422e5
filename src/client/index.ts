/**
 * The door of a remote workspace over HTTP. It decides what may be repeated and whether an outcome is certain. Knows nothing about
 * commands, profiles or files; it receives an address and a token, and sends the token only to that address.
 */
export { requestRefusal } from './answer.ts';
export {
  type Answered,
  type Client,
  type ClientOptions,
  checkKey,
  openClient,
  type RawRequest,
} from './client.ts';
export { eventsOf, type ServerEvent } from './events.ts';
export { leavesOpen, unknownOutcome } from './outcome.ts';
export { plainText } from './plain.ts';
export { type HeldWrite, relayDoor } from './relay.ts';
export type { RemoteWorkspace } from './target.ts';
export { type Deadlines, type Transport, TransportFailure, type WireAnswer } from './transport.ts';
export { type UploadOrder, uploadBytes, uploadRefused } from './upload.ts';
export { parseRoute } from './wire.ts';
