/**
 * Sends one webhook and judges how that went: the POST to a checked address, and when it is tried again. Knows no endpoints, no events and no
 * workspace; whoever calls keeps what happened.
 */

export type { Attempt, AttemptError, WebhookAnswer, WebhookRequest } from './attempt.ts';
export { readExtraHeaders } from './extra-headers.ts';
export { type GuardedFetch, openGuardedFetch } from './guarded-fetch.ts';
export { type Decision, decideDelivery, maxAttempts, retryDelayMs } from './schedule.ts';
export { deliveryLimits, type Reach, type SenderOptions, WebhookSender } from './sender.ts';
