import { type Brain, brain as commonBrain, type Decision, type Situation, tokens } from './brain.ts';
import { EventListeners } from './event-listeners.ts';
import { makeTrouble, openServer, type ServedRequest, type Server, type Trouble } from './server.ts';
import { readTold } from './told-situation.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of requests and events
type Body = any;

export interface AgentsApiOptions {
  readonly brain?: Brain;
  /** @param number of the request, from 1 */
  readonly trouble?: (number: number, request: ServedRequest) => Trouble | undefined;
  /** What a turn costs, in US cents. */
  readonly centsPerTurn?: number;
  /** Whether the session tells what it has used. */
  readonly tellsUsage?: boolean;
  /** The key that it takes. */
  readonly key?: string;
}

export interface AgentsApiServer extends Server {
  readonly sessions: ReadonlyMap<string, StoredSession>;
}

export interface StoredSession {
  readonly id: string;
  readonly agent: Body;
  status: 'idle' | 'in_progress' | 'requires_action' | 'failed';
  pending: { call_id: string; name: string; arguments: unknown; turn_id: string; type: string }[];
  usage: { input_tokens: number; output_tokens: number };
  consumed: number;
  limit: number | null;
  /** Kinds of input events, in their order. */
  readonly inputs: string[];
  readonly keys: Set<string>;
  turn: { id: string; situation: Situation; results: string[] } | undefined;
  turns: number;
  readonly listeners: EventListeners;
}

/**
 * A stand-in for OpenAI's Agents API (beta), after the types of the package `openai` 7.57: sessions that keep their conversation, turns
 * that wait for results of functions, events as a stream that does not end by itself.
 */
export async function openAgentsApi(options: AgentsApiOptions = {}): Promise<AgentsApiServer> {
  const { brain = commonBrain, trouble, centsPerTurn = 1, tellsUsage = true, key } = options;
  const sessions = new Map<string, StoredSession>();
  let [nextId, nextEvent] = [1, 1];

  const shown = (session: StoredSession) => ({
    id: session.id,
    object: 'agent.session',
    agent: { id: 'agent_inline', ...session.agent },
    status: session.status,
    error: null,
    required_actions: session.pending,
    usage: tellsUsage
      ? {
          ...session.usage,
          total_tokens: 0,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens_details: { reasoning_tokens: 0 },
        }
      : null,
    ...(session.limit !== null && { spend_control: { limit: session.limit, consumed: Math.floor(session.consumed) } }),
  });

  const tell = (session: StoredSession, type: string, data: Body) => {
    const event = { event_id: `evt_${nextEvent++}`, type, ...data };
    session.listeners.tell(event);
  };

  const endTurn = (session: StoredSession, outcome: 'completed' | 'failed' | 'cancelled', error: Body = null) => {
    const id = session.turn?.id;
    session.turn = undefined;
    session.pending = [];
    const turn = { id, subagent_id: null, error, status: outcome };
    tell(session, `agent.session.turn.${outcome}`, { session_id: session.id, turn_id: id, turn, usage: null });
    session.status = 'idle';
    tell(session, 'agent.session.idle', { session: shown(session) });
  };

  const think = (session: StoredSession, wrong: Trouble | undefined) => {
    const { turn } = session;
    if (turn === undefined) return;
    session.status = 'in_progress';
    tell(session, 'agent.session.in_progress', { session: shown(session) });
    session.consumed += centsPerTurn;
    if (session.limit !== null && session.consumed > session.limit) {
      return endTurn(session, 'failed', {
        code: 'session_budget_exceeded',
        message: 'The session has reached its usage budget.',
      });
    }
    const decision = brain({ ...turn.situation, results: [...turn.situation.results, ...turn.results] });
    session.usage.input_tokens += tokens(JSON.stringify(turn)) + tokens(JSON.stringify(session.agent));
    session.usage.output_tokens += tokens(JSON.stringify(decision));
    say(session, turn.id, decision, wrong);
    if (wrong === 'stall' || wrong === 'cut' || wrong === 'endless') return;
    const calls = decision.calls ?? [];
    if (calls.length === 0) return endTurn(session, 'completed');
    session.pending = calls.map(({ tool, args = {}, raw }) => ({
      type: 'function_call',
      call_id: `call_${nextId++}`,
      name: tool,
      arguments: raw ?? args,
      turn_id: turn.id,
    }));
    for (const call of session.pending) {
      const item = { ...call, id: `fc_${call.call_id}`, status: 'in_progress' };
      tell(session, 'agent.session.turn.item.added', {
        session_id: session.id,
        turn_id: turn.id,
        item,
        output_index: 1,
      });
    }
    session.status = 'requires_action';
    tell(session, 'agent.session.requires_action', { session: shown(session) });
  };

  const say = (session: StoredSession, turn_id: string, { text }: Decision, wrong: Trouble | undefined) => {
    if (text === undefined || text === '') return;
    const item_id = `msg_${nextId++}`;
    const part = { session_id: session.id, turn_id, item_id, output_index: 0, content_index: 0 };
    const toDelta = (delta: string) => {
      return { event_id: `evt_${nextEvent++}`, type: 'agent.session.turn.output_text.delta', ...part, delta };
    };
    if (!session.listeners.speak(text, wrong, toDelta)) return;
    const item = {
      type: 'message',
      role: 'assistant',
      id: item_id,
      turn_id,
      status: 'completed',
      phase: null,
      content: [{ type: 'output_text', text }],
    };
    tell(session, 'agent.session.turn.item.done', { session_id: session.id, turn_id, item, output_index: 0 });
  };

  const beginTurn = (session: StoredSession, input: Body[], wrong: Trouble | undefined) => {
    const text = input.flatMap((message) => message.content.map((part: Body) => part.text)).join('\n');
    const id = `turn_${nextId++}`;
    session.turns++;
    session.turn = { id, situation: readTold(text, session.agent.instructions ?? ''), results: [] };
    const turn = { id, subagent_id: null, error: null, status: 'queued' };
    tell(session, 'agent.session.turn.created', { session_id: session.id, turn_id: id, turn });
    think(session, wrong);
  };

  const take = (session: StoredSession, events: Body[], wrong: Trouble | undefined): string | undefined => {
    for (const event of events) {
      session.inputs.push(event.type);
      if (event.type === 'agent.session.input.cancel') {
        if (session.turn !== undefined) endTurn(session, 'cancelled');
      } else if (event.type === 'agent.session.input.message') {
        if (session.status !== 'idle') return 'A turn is running';
        beginTurn(session, event.input, wrong);
      } else if (event.type === 'agent.session.input.tool_result') {
        const call = session.pending.find(
          ({ call_id, turn_id }) => call_id === event.call_id && turn_id === event.turn_id,
        );
        if (call === undefined || session.turn === undefined) return `Unknown pending tool call: ${event.call_id}`;
        session.pending = session.pending.filter((one) => one !== call);
        session.turn.results.push(event.success ? event.output : event.error);
      } else return `Unknown event ${event.type}`;
    }
    if (session.status === 'requires_action' && session.pending.length === 0) think(session, wrong);
    return undefined;
  };

  const server = await openServer((request, response, number) => {
    const wrong = trouble?.(number, request);
    if (makeTrouble(wrong, response)) return;
    const json = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const refuse = (status: number, message: string) =>
      json(status, { error: { message, type: 'invalid_request_error', code: 'invalid_request_error', param: null } });
    if (key !== undefined && request.headers.authorization !== `Bearer ${key}`) return refuse(401, 'Incorrect API key');
    if (request.headers['openai-beta'] !== 'agents=v1') return refuse(400, 'The header OpenAI-Beta is missing');
    const [, path = ''] = /^\/v1\/agents(.*)$/.exec(request.path.replace(/\?.*/, '')) ?? [];
    if (path === '' && request.method === 'GET') return json(200, { data: [], has_more: false });
    if (path === '/sessions' && request.method === 'POST') {
      const { agent, environment, input, stream, spend_control } = request.body;
      if (environment?.type !== 'none' || input?.length === 0 || agent?.model === undefined)
        return refuse(400, 'Bad session');
      const session: StoredSession = {
        id: `asess_${nextId++}`,
        agent,
        status: 'idle',
        pending: [],
        usage: { input_tokens: 0, output_tokens: 0 },
        consumed: 0,
        limit: spend_control?.limit ?? null,
        inputs: [],
        keys: new Set(),
        turn: undefined,
        turns: 0,
        listeners: new EventListeners(),
      };
      sessions.set(session.id, session);
      if (stream !== true) return refuse(400, 'This stand-in streams only');
      session.listeners.add(response);
      tell(session, 'agent.session.created', { session: shown(session) });
      return beginTurn(session, input, wrong);
    }
    const [, id = '', rest] = /^\/sessions\/([^/]+)(\/events)?$/.exec(path) ?? [];
    const session = sessions.get(id);
    if (session === undefined) return refuse(404, 'There is no such session');
    if (rest === undefined && request.method === 'GET') return json(200, shown(session));
    if (rest === undefined) {
      if (request.body.spend_control !== undefined) session.limit = request.body.spend_control?.limit ?? null;
      return json(200, shown(session));
    }
    if (request.method === 'GET') {
      session.listeners.add(response);
      if (session.status === 'idle') tell(session, 'agent.session.idle', { session: shown(session) });
      return;
    }
    const idempotency = String(request.headers['idempotency-key'] ?? '');
    if (idempotency !== '' && session.keys.has(idempotency)) return void response.writeHead(202).end();
    session.keys.add(idempotency);
    const problem = take(session, request.body.events, wrong);
    if (problem !== undefined) return refuse(400, problem);
    response.writeHead(202).end();
  });
  return { ...server, url: `${server.url}/v1`, sessions };
}
