/** Pages for people, rendered from data. Knows nothing about requests. */
export type { Page } from './page.ts';
export { blockedInView, deniedInView } from './view-blocked.ts';
export { type ViewFrame, viewFrame } from './view-frame.ts';
export { mapViewStack, placeInView } from './view-stack.ts';
