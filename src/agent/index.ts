/**
 * Runs AI agents: the kinds of harnesses behind one interface (`HarnessAdapter`), budgets, prices and scripted models. Tools, budget and
 * messages are handed in, and what happens comes out as events, before and after it happens. Knows nothing of workspaces, and keeps
 * nothing.
 */
export { harnessAdapters } from './adapters.ts';
export {
  Budget,
  type BudgetLeft,
  type BudgetLimits,
  type BudgetOptions,
  type BudgetUse,
  defaultBudget,
  type ModelUse,
  nothingUsed,
  type Reservation,
  type TokenUsage,
} from './budget/budget.ts';
export { createPrices, type ModelPrice, type Prices, priceTable } from './budget/prices.ts';
export {
  type CheckServerOptions,
  checkCustomServer,
  harnessScenarios,
  type ScenarioResult,
} from './harness-check/check-server.ts';
export { addEvent, noProgress } from './progress.ts';
export { type RunErrorCode, runErrorHints } from './run-error.ts';
export { handoverTool } from './run-tools.ts';
export { checkModelScript, type ModelScript } from './scripted/script.ts';
export {
  type AssistantMessage,
  type BatchAnswer,
  type ContentPart,
  type Fact,
  type FinishReason,
  type Handover,
  type HarnessAdapter,
  type HarnessCheck,
  type HarnessConfig,
  type HarnessProblem,
  type Interrupt,
  type LegEnding,
  type ModelProvider,
  type ModelRole,
  type OpenDoor,
  type ProjectPackages,
  type RequestedCall,
  type ResumeEntry,
  type RunDoor,
  type RunEvent,
  type RunHost,
  type RunInput,
  type RunLimits,
  type RunMessage,
  type RunModels,
  type RunProblem,
  type RunProgress,
  type RunStatus,
  type RunSurroundings,
  runLimits,
  type TakeBatch,
  type ToolCall,
  type ToolCallOptions,
  type ToolMessage,
  type ToolResult,
  type ToolSpec,
  type UserMessage,
} from './types.ts';
