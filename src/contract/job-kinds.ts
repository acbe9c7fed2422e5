/** What runs later. Each kind has a worker in a running workspace. */
export const jobKinds = ['cron', 'delivery', 'invocation', 'flow-step', 'agent-run', 'tool-call', 'expiry'] as const;

export type JobKind = (typeof jobKinds)[number];
