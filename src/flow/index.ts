/**
 * Flows: what happens when a customer writes. Pure: a flow as it is written, a state and an event give the next state and what is to be
 * done. Knows no database, no network and no clock; what it asks for is carried out by whoever runs it.
 */
export { type CheckedFlow, checkFlow, needsConversation } from './check.ts';
export { layoutFlow } from './draw/layout.ts';
export { mermaidOf } from './draw/mermaid.ts';
export { drawingOf } from './draw/model.ts';
export { svgOf } from './draw/svg.ts';
export { exitsOf, exitTaken, triggerOf } from './exits.ts';
export { compareFlows, flowInFront, type OrderedFlow, orderOfFlow, startingFlows } from './order.ts';
export { type Routed, type RunUnderWay, routeMessage } from './route.ts';
export { advanceFlow, beginFlow, fits, type PassedStep, queueMessage, resumeFlow } from './step.ts';
export type {
  Advance,
  FlowCall,
  FlowContext,
  FlowEffect,
  FlowError,
  FlowEvent,
  FlowNext,
  FlowProblem,
  FlowState,
  FlowStep,
  FlowSurroundings,
  Json,
  JsonObject,
} from './types.ts';
