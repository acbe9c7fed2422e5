import type { Output } from '../../contract/index.ts';
import { canonicalJson } from '../../std/index.ts';

export type Tool = Output<'mcpClients.tools'>['items'][number];

/** How a tool differs from what was accepted. */
export interface ChangedTool {
  readonly client: string;
  readonly tool: string;
  readonly change: 'new' | 'changed' | 'gone';
  readonly hash: string | null;
  readonly acceptedHash: string | null;
  /** What it says now and what was accepted; null where it is unknown or the tool is gone. */
  readonly now: Pick<Tool, Field> | null;
  readonly accepted: Pick<Tool, Field> | null;
}

const fields = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;
type Field = (typeof fields)[number];

/**
 * Compares what a server lists with accepted hashes.
 * @param accepted by the tool's name; from a lock file or from the workspace
 */
export function findChanges(
  client: string,
  tools: readonly Tool[],
  accepted: Readonly<Record<string, string>>,
): ChangedTool[] {
  const listed = new Set(tools.map(({ name }) => name));
  const changes = tools.flatMap((tool): ChangedTool[] => {
    const acceptedHash = Object.hasOwn(accepted, tool.name) ? (accepted[tool.name] ?? null) : null;
    if (acceptedHash === tool.hash) return [];
    const change = acceptedHash === null ? 'new' : 'changed';
    return [
      { client, tool: tool.name, change, hash: tool.hash, acceptedHash, now: pick(tool), accepted: tool.accepted },
    ];
  });
  const gone = Object.entries(accepted).filter(([name]) => !listed.has(name));
  return [
    ...changes,
    ...gone.map(([tool, acceptedHash]): ChangedTool => {
      return { client, tool, change: 'gone', hash: null, acceptedHash, now: null, accepted: null };
    }),
  ];
}

function pick({ title, description, inputSchema, outputSchema, annotations }: Tool): Pick<Tool, Field> {
  return { title, description, inputSchema, outputSchema, annotations };
}

/** The lines of a diff: what was accepted with −, what is listed now with +. */
export function describeChange({ client, tool, change, now, accepted }: ChangedTool): string[] {
  const head = `${client}/${tool}: ${change}`;
  if (now === null) return [head];
  const lines = fields.flatMap((field) => {
    const after = describeField(now[field]);
    const before = accepted === null ? undefined : describeField(accepted[field]);
    if (before === after) return [];
    return [
      ...(before === undefined || before === '' ? [] : [`  - ${field}: ${before}`]),
      ...(after === '' ? [] : [`  + ${field}: ${after}`]),
    ];
  });
  const isUnknown = change === 'changed' && accepted === null;
  return [isUnknown ? `${head} (what was accepted is known by its hash only)` : head, ...lines];
}

function describeField(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : canonicalJson(value);
}
