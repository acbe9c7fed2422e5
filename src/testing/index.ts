/**
 * The module that an author's tests import as `convo-fn/testing`: a workspace of their own, in memory, in which the functions of the
 * app run in the real sandbox. No network, no ports, no state left behind. And a receiver of webhooks, on a port of this machine.
 */

export { aReceiver } from './receiver.ts';
export type {
  AgentRunOptions,
  ReceivedWebhook,
  ReceiverOptions,
  TestAgentRun,
  TestClock,
  TestEvent,
  TestEvents,
  TestInvocation,
  TestReceiver,
  TestToolAnswer,
  TestToolCall,
  TestToolCaller,
  TestWorkspace,
  ToolCallOptions,
  WorkspaceOptions,
} from './types.ts';
export { aWorkspace, invoke } from './workspace.ts';
