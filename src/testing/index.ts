/**
 * The module that an author's tests import as `convo-fn/testing`: a workspace of their own, in memory, in which the functions of the
 * app run in the real sandbox. No network, no ports, no state left behind.
 */

export type { TestClock, TestInvocation, TestWorkspace, WorkspaceOptions } from './types.ts';
export { aWorkspace, invoke } from './workspace.ts';
