/** Who acts: one list for author, actor, caller and trace. */
export const actorTypes = ['customer', 'agent', 'aiAgent', 'flow', 'function', 'api', 'mcp', 'system'] as const;

export type ActorType = (typeof actorTypes)[number];
