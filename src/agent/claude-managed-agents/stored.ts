import { canonicalJson, sha256Hex } from '../../std/index.ts';
import type { RunInput } from '../types.ts';
import type { ManagedAgentsClient, StoredAgent } from './client.ts';

/** What an agent is at the vendor; another one is another version. */
export interface AgentDefinition {
  readonly model: string;
  readonly system: string;
  readonly tools: readonly object[];
}

export interface PinnedAgent {
  readonly id: string;
  readonly version: number;
}

/** Agents of an account that are looked through for ours. */
const maxLookedAt = 500;

/** Account, agent and definition → its version: versions stay. */
const knownAgents = new Map<string, PinnedAgent>();
const knownEnvironments = new Map<string, string>();

/**
 * The agent at the vendor with this definition. One agent of the app is one there: it is made when it is missing, and gets another version
 * when instructions, tools or model have changed.
 */
export async function pinAgent(
  { agents }: ManagedAgentsClient,
  input: RunInput,
  definition: AgentDefinition,
  signal: AbortSignal,
): Promise<PinnedAgent> {
  const name = `fn ${input.harness.name}${input.about?.agent === undefined ? '' : ` ${input.about.agent.name}`}`.slice(
    0,
    200,
  );
  const hash = sha256Hex(canonicalJson(definition)).slice(0, 32);
  const key = `${accountOf(input)} ${name} ${hash}`;
  const known = knownAgents.get(key);
  if (known !== undefined) return known;
  const body = { ...definition, name, metadata: { fn_agent: name, fn_hash: hash } };
  const found = await findMarked(agents.list({}, { signal }), 'fn_agent', name);
  const agent: StoredAgent =
    found === undefined
      ? await agents.create(body, { signal })
      : found.metadata['fn_hash'] === hash
        ? found
        : await agents.update(found.id, { ...body, version: found.version }, { signal });
  const pinned = { id: agent.id, version: agent.version };
  remember(knownAgents, key, pinned);
  return pinned;
}

/** An environment whose network reaches nothing: all that the agent can do are our tools. */
export async function findEnvironment(
  { environments }: ManagedAgentsClient,
  input: RunInput,
  signal: AbortSignal,
): Promise<string> {
  const key = accountOf(input);
  const known = knownEnvironments.get(key);
  if (known !== undefined) return known;
  const found = await findMarked(environments.list({}, { signal }), 'fn_environment', 'closed');
  const networking = {
    type: 'limited',
    allowed_hosts: [],
    allow_mcp_servers: false,
    allow_package_managers: false,
  };
  const body = {
    name: 'fn closed',
    config: { type: 'cloud', networking },
    metadata: { fn_environment: 'closed' },
  };
  const { id } = found ?? (await environments.create(body, { signal }));
  remember(knownEnvironments, key, id);
  return id;
}

/** What was remembered may be gone at the vendor. */
export function forgetStored(input: RunInput): void {
  const account = accountOf(input);
  knownEnvironments.delete(account);
  for (const key of knownAgents.keys()) if (key.startsWith(`${account} `)) knownAgents.delete(key);
}

async function findMarked<T extends { readonly metadata: Readonly<Record<string, string>> }>(
  all: AsyncIterable<T>,
  mark: string,
  value: string,
): Promise<T | undefined> {
  let looked = 0;
  for await (const one of all) {
    if (one.metadata[mark] === value) return one;
    if (++looked >= maxLookedAt) return undefined;
  }
  return undefined;
}

/** Without the key itself: this is a key of a map that lives on. */
const accountOf = ({ harness }: RunInput): string =>
  sha256Hex(`${harness.baseUrl ?? ''} ${harness.apiKey ?? ''}`).slice(0, 32);

/** Whoever starts a run may give it instructions of its own, so there is an end to what is remembered. */
function remember<T>(known: Map<string, T>, key: string, value: T): void {
  if (known.size >= maxRemembered) known.delete(known.keys().next().value ?? '');
  known.set(key, value);
}

const maxRemembered = 1_000;
