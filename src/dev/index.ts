/** The `fn dev` loop: watch → bundle → load → serve, reported as events. Knows nothing about terminals. */
export type { DevEvent, Listening, Ready, ReadyFlow, ReadyFunction } from './events.ts';
export type { AgentRun, FlowRun } from './runs.ts';
export { type DevOptions, type DevSession, startDev } from './session.ts';
