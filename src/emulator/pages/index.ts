/** Pages for people, rendered from data. Knows nothing about requests. */
export { type HomeData, homePage } from './home-page.ts';
export { type ConversationData, conversationPage, type WorkspaceData, workspacePage } from './inbox-pages.ts';
export { nameOf } from './name-of.ts';
export type { Page } from './page.ts';
export { blockedInView, deniedInView } from './view-blocked.ts';
export { type ViewFrame, viewFrame } from './view-frame.ts';
export { type ViewData, viewPage } from './view-page.ts';
export { mapViewStack, placeInView } from './view-stack.ts';
