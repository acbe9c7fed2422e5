import { type Brain, brain as commonBrain, type Situation, tokens } from './brain.ts';
import { EventListeners } from './event-listeners.ts';
import { makeTrouble, openServer, type ServedRequest, type Server, type Trouble } from './server.ts';
import { readTold } from './told-situation.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of requests and events
type Body = any;

export interface ManagedAgentsOptions {
  readonly brain?: Brain;
  /** @param number of the request, from 1 */
  readonly trouble?: (number: number, request: ServedRequest) => Trouble | undefined;
  /** What a model request costs, in US cents. */
  readonly centsPerRequest?: number;
  /** The key that it takes. */
  readonly key?: string;
  /** How each turn ends instead of by what the brain decides. */
  readonly ending?: 'retries_exhausted' | 'refusal';
}

export interface ManagedAgentsServer extends Server {
  readonly agents: readonly Body[];
  readonly environments: readonly Body[];
  readonly sessions: ReadonlyMap<string, ManagedSession>;
}

export interface ManagedSession {
  readonly id: string;
  readonly agent: Body;
  status: 'idle' | 'running' | 'terminated';
  pending: string[];
  spent: number;
  limit: number | undefined;
  readonly inputs: string[];
  readonly log: Body[];
  turn: { situation: Situation; results: string[] } | undefined;
  readonly listeners: EventListeners;
}

/** Every version that an agent ever had. */
type Versions = Body[];

/**
 * A stand-in for Claude Managed Agents (beta), after the types of the package `@anthropic-ai/sdk` 1.14: agents with versions,
 * environments, sessions whose turns stop for results of custom tools, events as a stream that tells only of what happens from then on.
 */
export async function openManagedAgents(options: ManagedAgentsOptions = {}): Promise<ManagedAgentsServer> {
  const { brain = commonBrain, trouble, centsPerRequest = 1, key, ending } = options;
  const agents: Body[] = [];
  const versions = new Map<string, Versions>();
  const environments: Body[] = [];
  const sessions = new Map<string, ManagedSession>();
  let next = 1;
  const newId = (prefix: string) => `${prefix}_${next++}`;

  const tell = (session: ManagedSession, type: string, data: Body = {}): string => {
    const event = { id: newId('sevt'), type, processed_at: '2026-11-26T00:00:00Z', ...data };
    session.log.push(event);
    session.listeners.tell(event);
    return event.id;
  };
  const stop = (session: ManagedSession, stop_reason: Body) => {
    session.status = 'idle';
    if (stop_reason.type !== 'requires_action') session.turn = undefined;
    tell(session, 'session.status_idle', { stop_reason, stop_details: null });
  };

  const think = (session: ManagedSession, wrong: Trouble | undefined) => {
    const { turn } = session;
    if (turn === undefined) return;
    session.status = 'running';
    tell(session, 'session.status_running');
    if (ending !== undefined) {
      if (ending === 'retries_exhausted') {
        const error = { type: 'model_overloaded_error', message: 'Overloaded', retry_status: { type: 'exhausted' } };
        tell(session, 'session.error', { error });
      }
      return stop(session, { type: ending });
    }
    if (session.limit !== undefined && session.spent >= session.limit) return stop(session, { type: 'budget_reached' });
    const decision = brain({ ...turn.situation, results: [...turn.situation.results, ...turn.results] });
    const started = tell(session, 'span.model_request_start');
    session.spent += centsPerRequest;
    if (!say(session, decision.text ?? '', wrong)) return;
    session.pending = (decision.calls ?? []).map(({ tool, args = {} }) =>
      tell(session, 'agent.custom_tool_use', { name: tool, input: args, session_thread_id: null }),
    );
    tell(session, 'span.model_request_end', {
      model_request_start_id: started,
      is_error: false,
      model_usage: {
        input_tokens: tokens(JSON.stringify(turn)),
        output_tokens: tokens(JSON.stringify(decision)),
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 100,
      },
    });
    if (session.pending.length === 0) return stop(session, { type: 'end_turn' });
    stop(session, { type: 'requires_action', event_ids: session.pending });
  };

  /** @returns whether the turn goes on */
  const say = (session: ManagedSession, text: string, wrong: Trouble | undefined): boolean => {
    if (text === '') return true;
    const id = newId('sevt');
    session.listeners.tell({ type: 'event_start', event: { id, type: 'agent.message' } });
    const toDelta = (part: string) => {
      const delta = { type: 'content_delta', content: { type: 'text', text: part } };
      return { type: 'event_delta', event_id: id, delta };
    };
    if (!session.listeners.speak(text, wrong, toDelta)) return false;
    tell(session, 'agent.message', { id, content: [{ type: 'text', text }] });
    return true;
  };

  const take = (session: ManagedSession, events: Body[], wrong: Trouble | undefined): string | undefined => {
    for (const event of events) {
      session.inputs.push(event.type);
      if (event.type === 'user.interrupt') {
        session.pending = [];
        if (session.turn !== undefined) stop(session, { type: 'end_turn' });
      } else if (event.type === 'user.message') {
        tell(session, 'user.message', { content: event.content });
        const text = event.content.map((block: Body) => block.text).join('\n');
        session.turn = { situation: readTold(text, session.agent.system ?? ''), results: [] };
        think(session, wrong);
      } else if (event.type === 'user.custom_tool_result') {
        const id = event.custom_tool_use_id;
        if (session.turn === undefined || !session.pending.includes(id)) return `No call ${id} waits`;
        tell(session, 'user.custom_tool_result', { custom_tool_use_id: id });
        session.pending = session.pending.filter((one) => one !== id);
        session.turn.results.push(event.content.map((block: Body) => block.text).join(''));
        if (session.pending.length === 0) think(session, wrong);
      } else return `Unknown event ${event.type}`;
    }
    return undefined;
  };

  const shown = ({ id, agent, status, spent, limit }: ManagedSession) => ({
    id,
    type: 'session',
    agent,
    status,
    usage: { list_cost: { amount: String(spent), currency: 'USD' } },
    budget: limit === undefined ? null : { type: 'limit', max_list_cost: { amount: String(limit), currency: 'USD' } },
  });

  const server = await openServer((request, response, number) => {
    const wrong = trouble?.(number, request);
    if (makeTrouble(wrong, response)) return;
    const json = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const refuse = (status: number, message: string) =>
      json(status, { type: 'error', error: { type: 'invalid_request_error', message } });
    const list = (data: Body[]) => json(200, { data, next_page: null });
    const { method, body } = request;
    if (key !== undefined && request.headers['x-api-key'] !== key) return refuse(401, 'invalid x-api-key');
    if (!String(request.headers['anthropic-beta']).includes('managed-agents-2026-04-01')) {
      return refuse(400, 'The header anthropic-beta is missing');
    }
    const path = request.path.replace(/\?.*/, '').replace(/^\/v1/, '');
    if (path === '/agents' && method === 'GET') return list(agents);
    if (path === '/agents') {
      const agent = { id: newId('agent'), type: 'agent', version: 1, ...body };
      agents.push(agent);
      versions.set(agent.id, [agent]);
      return json(200, agent);
    }
    if (path.startsWith('/agents/')) {
      const at = agents.findIndex(({ id }) => id === path.slice('/agents/'.length));
      if (at === -1) return refuse(404, 'There is no such agent');
      if (body.version !== agents[at].version) return refuse(409, 'The agent has another version');
      const agent = { ...agents[at], ...body, version: agents[at].version + 1 };
      agents[at] = agent;
      versions.get(agent.id)?.push(agent);
      return json(200, agent);
    }
    if (path === '/environments' && method === 'GET') return list(environments);
    if (path === '/environments') {
      environments.push({ id: newId('env'), type: 'environment', ...body });
      return json(200, environments.at(-1));
    }
    if (path === '/sessions') {
      const agent = versions.get(body.agent?.id)?.find(({ version }) => version === body.agent.version);
      if (agent === undefined) return refuse(400, 'There is no such version of an agent');
      if (!environments.some(({ id }) => id === body.environment_id))
        return refuse(400, 'There is no such environment');
      const amount = body.budget?.max_list_cost.amount;
      const session: ManagedSession = {
        id: newId('sesn'),
        agent,
        status: 'idle',
        pending: [],
        spent: 0,
        limit: amount === undefined ? undefined : Number(amount),
        inputs: [],
        log: [],
        turn: undefined,
        listeners: new EventListeners(),
      };
      sessions.set(session.id, session);
      return json(200, shown(session));
    }
    const [, id = '', rest = ''] = /^\/sessions\/([^/]+)(.*)$/.exec(path) ?? [];
    const session = sessions.get(id);
    if (session === undefined) return refuse(404, 'There is no such session');
    if (rest === '' && method === 'POST') {
      const amount = Number(body.budget?.max_list_cost.amount);
      if (session.limit === undefined) return refuse(400, 'budget_create_only');
      if (amount <= session.spent) return refuse(400, 'budget_not_raised');
      session.limit = amount;
    }
    if (rest === '') return json(200, shown(session));
    if (rest === '/events/stream') {
      return session.listeners.add(response);
    }
    if (method === 'GET') return list(session.log.toReversed());
    const problem = take(session, body.events, wrong);
    return problem === undefined ? json(200, { data: [] }) : refuse(400, problem);
  });
  return { ...server, agents, environments, sessions };
}
