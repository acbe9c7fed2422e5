/** The HTTP face of a living workspace: guard, routes from the table, method endpoints, streams, pages. */
export { type HttpFace, openHttp } from './face.ts';
export type { Listening, ListenOptions } from './listen.ts';
