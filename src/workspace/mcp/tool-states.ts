import type { Output } from '../../contract/index.ts';
import type { ListedMcpTool } from '../types.ts';

type Definition = NonNullable<Output<'mcpClients.tools'>['items'][number]['accepted']>;

/** What was accepted of one tool. */
export interface AcceptedTool {
  readonly hash: string;
  /** Unknown if it comes from a lock file, which has only hashes. */
  readonly definition?: Definition | undefined;
}

/** By name. */
export type AcceptedTools = Readonly<Record<string, AcceptedTool>>;

/** Whether models may be offered a tool; a tool that is new, or differs by one letter, is withheld until it is accepted. */
export function stateOfTool(
  tool: Pick<ListedMcpTool, 'name' | 'hash' | 'problem'>,
  accepted: AcceptedTools,
): { readonly state: 'available' | 'withheld'; readonly reason: 'new' | 'changed' | 'unusable' | null } {
  if (tool.problem !== null) return { state: 'withheld', reason: 'unusable' };
  const known = findAccepted(accepted, tool.name);
  if (known === undefined) return { state: 'withheld', reason: 'new' };
  if (known.hash !== tool.hash) return { state: 'withheld', reason: 'changed' };
  return { state: 'available', reason: null };
}

export function findAccepted(accepted: AcceptedTools, name: string): AcceptedTool | undefined {
  return Object.hasOwn(accepted, name) ? accepted[name] : undefined;
}

export function acceptTools(tools: readonly ListedMcpTool[]): AcceptedTools {
  return Object.fromEntries(tools.map((tool) => [tool.name, { hash: tool.hash, definition: definitionOf(tool) }]));
}

function definitionOf({ title, description, inputSchema, outputSchema, annotations }: ListedMcpTool): Definition {
  return { title, description, inputSchema, outputSchema, annotations } as Definition;
}

/** Names of tools that are new, different or gone. */
export function changedTools(before: readonly ListedMcpTool[], after: readonly ListedMcpTool[]): string[] {
  const hashes = new Map(before.map(({ name, hash }) => [name, hash]));
  const changed = after.filter(({ name, hash }) => hashes.get(name) !== hash).map(({ name }) => name);
  const left = new Set(after.map(({ name }) => name));
  return [...changed, ...before.filter(({ name }) => !left.has(name)).map(({ name }) => name)];
}
