import { isRecord } from '../../std/index.ts';
import { redacted } from '../tools/hidden.ts';
import { type Event, type FlowRun, type Happened, objectOf, refuse } from './what-happened.ts';

/** What a test does, or expects. */
export type Step =
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'tap'; readonly quickReplyId: string }
  | { readonly type: 'advance'; readonly ms: number }
  | { readonly type: 'send'; readonly text: string }
  | { readonly type: 'pause' | 'close' | 'reopen' }
  | { readonly type: 'resume'; readonly answer: boolean }
  | { readonly type: 'assign'; readonly to: { readonly email: string } | { readonly workgroup: string } | null }
  | {
      readonly type: 'answer';
      readonly tool: string;
      /** The arguments that were asked for, as far as they are known. */
      readonly asked: unknown;
      readonly answer: 'allow' | 'deny';
      readonly reason: string | null;
      /** Those that the person gave instead. */
      readonly arguments: unknown;
    }
  | { readonly type: 'expectMessage'; readonly text: string }
  | { readonly type: 'expectTemplate'; readonly name: string }
  | { readonly type: 'expectTool'; readonly name: string; readonly arguments: unknown }
  | { readonly type: 'expectPath'; readonly nodes: readonly string[] }
  | { readonly type: 'expectPaused' };

export const isExpectation = ({ type }: Step): boolean => type.startsWith('expect');

/** Only longer pauses between what people did are part of a test. */
const minPauseMs = 10 * 60_000;
/** Who acts by themselves: a test repeats what they did. Whatever others do follows from it. */
const people = new Set(['agent', 'api', 'mcp']);
/** Ids are new in each workspace. */
const idPattern = /\b[a-z]{3}_[0-9A-Z]{26}\b/;

/** What a test has to do so that the same happens, and what it expects. @throws WorkspaceError test_unsavable */
export function stepsOf(happened: Happened): Step[] {
  return new Steps(happened).all();
}

class Steps {
  readonly #happened: Happened;
  readonly #steps: Step[] = [];
  /** Of what the customer and people did: what has another trace came from elsewhere, and would not come in a test. */
  readonly #traces = new Set<string | null>();
  readonly #said: ReadonlySet<string | null>;
  /** When the clock has to be moved because something fell due, earliest first. */
  readonly #due: number[];
  #lastMs: number;

  constructor(happened: Happened) {
    this.#happened = happened;
    const { events, flowRuns } = happened;
    this.#lastMs = msOf(events[0]?.timestamp);
    this.#said = new Set(events.filter(({ type }) => type === 'message.received').map(({ traceId }) => traceId));
    const waited = flowRuns.flatMap(({ steps }) => steps.filter(endedByTime).map(({ at }) => msOf(at)));
    const expired = events.filter(({ type }) => type === 'confirmation.expired').map((event) => msOf(event.timestamp));
    this.#due = [...new Set([...waited, ...expired])].sort((a, b) => a - b);
  }

  all(): Step[] {
    for (const event of this.#happened.events) {
      while (this.#due[0] !== undefined && this.#due[0] <= msOf(event.timestamp)) this.#pass(this.#due.shift() ?? 0);
      this.#add(event);
    }
    return this.#steps;
  }

  #add(event: Event): void {
    const { type, data, actor, traceId } = event;
    if (type === 'message.received') return this.#receive(event);
    // What the customer's message brings about with it: a conversation that opens again.
    const isOfPerson = people.has(actor.type) && !this.#said.has(traceId);
    if (type === 'confirmation.answered') return this.#answer(event);
    if (type === 'message.sent') return this.#send(event);
    if (isOfPerson && type.startsWith('conversation.')) {
      const step = this.#byPerson(event);
      if (step) this.#act(event, step);
      return;
    }
    if (!this.#traces.has(traceId)) return;
    if (type === 'conversation.aiPaused') this.#steps.push({ type: 'expectPaused' });
    if (type === 'aiTool.called' || type === 'aiTool.failed') this.#tool(objectOf(data, 'toolCall'));
    if (type === 'flowRun.completed' || type === 'flowRun.failed') this.#path(String(objectOf(data, 'flowRun')['id']));
  }

  /** Something that a person or the customer did. */
  #act(event: Event, step: Step): void {
    const at = msOf(event.timestamp);
    if (at - this.#lastMs >= minPauseMs) this.#pass(at);
    this.#lastMs = at;
    this.#traces.add(event.traceId);
    this.#steps.push(step);
  }

  #pass(until: number): void {
    const exactMs = until - this.#lastMs;
    if (exactMs <= 0) return;
    // What was awaited began a moment after what caused it: whole seconds are enough.
    const ms = exactMs < 1_000 ? exactMs : Math.floor(exactMs / 1_000) * 1_000;
    this.#steps.push({ type: 'advance', ms });
    this.#lastMs = until;
  }

  #receive(event: Event): void {
    const { text, media, quickReplyId } = objectOf(event.data, 'message');
    if (isRecord(media)) throw refuse('The customer sent a file, which a test does not send');
    // A question of a tool is answered by replies whose ids are new each time; their titles say the same.
    const isTap = typeof quickReplyId === 'string' && !idPattern.test(quickReplyId);
    if (isTap) return this.#act(event, { type: 'tap', quickReplyId });
    if (typeof text !== 'string') throw refuse('A message of the customer is not kept as a whole');
    this.#act(event, { type: 'say', text });
  }

  #send(event: Event): void {
    const { text, template, author } = objectOf(event.data, 'message');
    if (isRecord(author) && people.has(String(author['type']))) {
      if (typeof text === 'string' && !isRecord(template)) this.#act(event, { type: 'send', text });
      return;
    }
    if (!this.#traces.has(event.traceId)) return;
    if (isRecord(template)) this.#steps.push({ type: 'expectTemplate', name: String(template['name']) });
    else if (typeof text === 'string') this.#steps.push({ type: 'expectMessage', text: withoutIds(text) });
  }

  #answer(event: Event): void {
    const { id, by, state, tool, answer, arguments: asked } = objectOf(event.data, 'confirmation');
    if (by !== 'human') return;
    this.#act(event, {
      type: 'answer',
      tool: String(tool),
      asked: knownArguments(asked),
      answer: state === 'allowed' ? 'allow' : 'deny',
      reason: isRecord(answer) && typeof answer['reason'] === 'string' ? answer['reason'] : null,
      arguments: this.#happened.changedArguments.get(String(id)),
    });
  }

  #byPerson({ type, data, traceId }: Event): Step | undefined {
    const { events, emailOf, workgroupOf } = this.#happened;
    if (type === 'conversation.aiPaused') return { type: 'pause' };
    if (type === 'conversation.closed') return { type: 'close' };
    if (type === 'conversation.reopened') return { type: 'reopen' };
    if (type === 'conversation.unassigned') return { type: 'assign', to: null };
    if (type === 'conversation.aiResumed') {
      return {
        type: 'resume',
        answer: events.some((one) => one.traceId === traceId && one.type === 'flowRun.started'),
      };
    }
    if (type !== 'conversation.assigned') return undefined;
    const { agentId, workgroupId } = objectOf(data, 'assignee');
    const email = emailOf.get(String(agentId));
    const workgroup = workgroupOf.get(String(workgroupId));
    if (email !== undefined) return { type: 'assign', to: { email } };
    return workgroup === undefined ? undefined : { type: 'assign', to: { workgroup } };
  }

  #tool({ tool, source, arguments: given }: Readonly<Record<string, unknown>>): void {
    if (isRecord(source) && source['kind'] === 'mcp') {
      throw refuse(`The tool ${String(tool)} is one of an MCP server, which a test does not ask`);
    }
    this.#steps.push({ type: 'expectTool', name: String(tool), arguments: knownArguments(given) });
  }

  #path(id: string): void {
    const { flowRuns } = this.#happened;
    const run = flowRuns.find((one) => one.id === id);
    const nodes = run && nodesOf(run);
    if (!nodes || nodes.length === 0) return;
    // A test sees the way of the last run only.
    const isOvertaken = flowRuns.some(({ startedAt, id: other }) => other > id && startedAt <= (run.endedAt ?? ''));
    if (!isOvertaken) this.#steps.push({ type: 'expectPath', nodes });
  }
}

const msOf = (timestamp: string | undefined): number => Date.parse(timestamp ?? '');

/** A wait that no message ended, or the customer's silence in a conversation with an agent: what an agent answers is never nothing. */
function endedByTime({ type, outcome, output }: FlowRun['steps'][number]): boolean {
  if (type === 'wait') return outcome !== 'message';
  return type === 'ai-agent' && outcome === 'completed' && output === null;
}

/** The way through a flow: a node, with its outcome where there are several. */
function nodesOf({ steps }: FlowRun): string[] {
  return steps
    .filter(({ type }) => type !== 'trigger' && type !== 'end')
    .map(({ node, outcome }) => (outcome === 'next' ? node : `${node}:${outcome}`));
}

/** The longest part of a text that has no id in it. */
function withoutIds(text: string): string {
  const parts = text.split(new RegExp(idPattern, 'g'));
  return parts.length === 1 ? text : parts.reduce((best, part) => (part.length > best.length ? part : best), '');
}

/** The arguments of a call as far as its record shows them; undefined if it does not. */
function knownArguments(given: unknown): unknown {
  if (!isRecord(given)) return undefined;
  const known = Object.entries(given).filter(([, value]) => {
    const text = JSON.stringify(value);
    return !text.includes(redacted) && !idPattern.test(text);
  });
  return known.length === 0 ? undefined : Object.fromEntries(known);
}
