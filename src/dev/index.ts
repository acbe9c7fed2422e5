/** The `fn dev` loop: watch → bundle → load → serve, told as events. Knows nothing of terminals. */
export type { DevEvent, Listening, Ready, ReadyFunction } from './events.ts';
export { type DevOptions, type DevSession, startDev } from './session.ts';
