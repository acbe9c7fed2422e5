import type { FlowTrigger } from '../contract/shapes/index.ts';

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** What the conditions and templates of a step can see, beside the state of the run. */
export interface FlowContext {
  readonly conversation: JsonObject | null;
  readonly customer: JsonObject | null;
  readonly workspace: JsonObject;
  /** What the run was started with. */
  readonly input: Json;
  /** The variables of the app. */
  readonly vars: JsonObject;
  readonly now: { readonly date: string; readonly weekday: string; readonly hour: number };
}

/** One step that was taken: which exit of which node. */
export interface Passed {
  readonly node: string;
  readonly outcome: string;
}

/** Where a run is. A value of JSON: it is all that has to be kept between two steps. */
export interface FlowState {
  /** The node that comes next. */
  readonly node: string;
  /** Steps taken so far. */
  readonly seq: number;
  /** Steps since the last wait. */
  readonly sinceWait: number;
  /** The last steps, oldest first. */
  readonly trail: readonly Passed[];
  readonly outputs: { readonly [node: string]: Json };
  readonly variables: JsonObject;
  /** The message that the run is about; null before one came. */
  readonly message: JsonObject | null;
  /** Messages that came while it was at work, oldest first. */
  readonly queue: readonly JsonObject[];
}

export interface FlowError {
  readonly code: string;
  readonly message: string;
}

/** What happened to a run. */
export type FlowEvent =
  /** It is its turn. */
  | { readonly type: 'go' }
  /** What it asked for outside has answered. */
  | {
      readonly type: 'answered';
      readonly outcome: string;
      readonly output?: Json | undefined;
      readonly variables?: JsonObject | undefined;
      /** Of an AI agent: the last message that it has seen. Ids sort by the moment they were made, also within one millisecond. */
      readonly seenUntil?: string | undefined;
    }
  /** What it asked for, or one of its effects, could not be done. */
  | { readonly type: 'failed'; readonly error: FlowError }
  | { readonly type: 'message'; readonly message: JsonObject }
  | { readonly type: 'timeout' };

/** A change of the workspace, made in the transaction of the step. */
export type FlowEffect =
  | {
      readonly type: 'sendMessage';
      readonly text?: string;
      readonly media?: { readonly mediaId?: string; readonly url?: string; readonly fileName?: string };
      readonly quickReplies?: readonly { readonly id: string; readonly title: string }[];
    }
  | {
      readonly type: 'sendTemplate';
      readonly name: string;
      readonly language?: string;
      readonly variables?: Json;
    }
  | {
      readonly type: 'assign';
      readonly to: { readonly workgroup: string } | { readonly agent: string };
      readonly note?: string;
      /** A handover: people answer from now on. */
      readonly pausesAi: boolean;
    }
  | { readonly type: 'closeConversation' };

/** What has to be asked for outside; the answer comes back as an event. */
export type FlowCall =
  | {
      readonly type: 'function';
      readonly function: string;
      readonly input: Json;
      readonly variables: JsonObject;
      readonly timeoutMs?: number;
    }
  | {
      readonly type: 'ai';
      readonly prompt: string;
    }
  | {
      readonly type: 'ai-agent';
      readonly instructions?: string;
    };

/** A step as it is recorded. */
export interface FlowStep {
  /** Counts from 0. `<run>:<seq>` is the key of whatever the step does. */
  readonly seq: number;
  readonly node: string;
  readonly type: string;
  /** The exit that it took; `failed` if it has none for its failure. */
  readonly outcome: string;
  readonly output?: Json;
  /** Variables that it has set. */
  readonly variables?: JsonObject;
  /** The message that a wait has ended with. */
  readonly message?: JsonObject;
  readonly error?: FlowError;
}

export type FlowNext =
  /** The next node has its turn at once. */
  | { readonly type: 'go' }
  /** This node stays until the call is answered. */
  | { readonly type: 'call'; readonly call: FlowCall }
  /** This node stays until a message comes, or the time is over. */
  | { readonly type: 'wait'; readonly for: 'message' | 'time'; readonly ms: number }
  | { readonly type: 'end'; readonly status: 'completed' }
  | { readonly type: 'end'; readonly status: 'failed'; readonly error: FlowError };

/** What follows from an event. */
export interface Advance {
  readonly state: FlowState;
  /** The step that was completed, if one was. */
  readonly step?: FlowStep;
  readonly effects: readonly FlowEffect[];
  readonly next: FlowNext;
}

/** What stands beside a flow, as far as it is known: without a list nothing is said about its names. */
export interface FlowSurroundings {
  readonly functions?: readonly { readonly name: string; readonly outcomes?: readonly string[] }[];
  /** Functions of other types, to say so. */
  readonly otherFunctions?: readonly string[];
  readonly agents?: readonly string[];
  readonly tools?: readonly string[];
  readonly mcpClients?: readonly string[];
  readonly harnesses?: readonly string[];
  readonly workgroups?: readonly string[];
  /** E-mail addresses of the team. */
  readonly people?: readonly string[];
  readonly templates?: readonly string[];
}

/** Something that is wrong with a flow. */
export interface FlowProblem {
  readonly code: FlowProblemCode;
  /** Where: `nodes.greet.next`. */
  readonly path: string;
  /** Completes the path to a sentence. */
  readonly message: string;
}

export type FlowProblemCode =
  | 'flow_invalid'
  | 'flow_trigger_missing'
  | 'flow_node_unknown'
  | 'flow_node_unreachable'
  | 'flow_dead_end'
  | 'flow_cycle'
  | 'flow_path_unknown'
  | 'flow_reference_missing'
  | 'flow_conversation_missing'
  | 'flow_pattern_invalid'
  | 'flow_schedule_invalid';

export type { FlowTrigger };
