/** Names the folder into which test workspaces write which ways of flows they took, for `fn test --coverage`. */
export const flowCoverageVariable = 'FN_FLOW_COVERAGE';

/** A way that a flow run took out of a node. A run that waits, or was cancelled, has no outcome at its last node. */
export interface TakenWay {
  readonly flow: string;
  readonly node: string;
  readonly outcome: string | null;
}
