/** Statuses of a run of an AI agent that has not ended. */
export const openRunStatuses = ['queued', 'running', 'waiting'] as const;

/** Statuses of a run of an AI agent. */
export const runStatuses = [...openRunStatuses, 'completed', 'handedOver', 'failed', 'cancelled'] as const;

/** Statuses of a run of a flow. */
export const flowRunStatuses = ['running', 'waiting', 'completed', 'failed', 'cancelled'] as const;
