/** What is begun before the rest of `fn` is loaded, by commands that run functions here. */
export { forkEarly } from './sandbox/early.ts';
