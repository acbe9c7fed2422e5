import type { Tool } from '@modelcontextprotocol/client';
import { schemaCheck } from '../../contract/function-config/index.ts';
import { canonicalJson, isNestedDeeper, messageOf, sha256Hex } from '../../std/index.ts';
import { McpError } from './mcp-error.ts';
import type { McpLimits, McpTool } from './types.ts';

const maxSchemaDepth = 60;

/**
 * Reads what a server lists: each tool with its hash, and why it cannot be used if it cannot.
 * @throws McpError mcp_protocol_error for more tools than are read
 */
export async function readTools(
  listed: readonly Tool[],
  limits: Pick<McpLimits, 'maxTools' | 'maxSchemaBytes'>,
): Promise<McpTool[]> {
  if (listed.length > limits.maxTools)
    throw new McpError(
      'mcp_protocol_error',
      `The server lists ${listed.length} tools; at most ${limits.maxTools} are read`,
    );
  const counts = new Map<string, number>();
  for (const { name } of listed) counts.set(name, (counts.get(name) ?? 0) + 1);
  const tools: McpTool[] = [];
  for (const [name, count] of counts) {
    const given = listed.find((tool) => tool.name === name);
    if (given === undefined) continue;
    const tool = describe(given);
    const problem =
      count > 1 ? `the server lists ${count} tools of this name` : await findProblem(tool, limits.maxSchemaBytes);
    tools.push({ ...tool, problem });
  }
  return tools;
}

function describe({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations = {},
}: Tool): Omit<McpTool, 'problem'> {
  const told = {
    name,
    title: title ?? annotations.title ?? null,
    description: description ?? '',
    inputSchema: inputSchema as McpTool['inputSchema'],
    outputSchema: (outputSchema as McpTool['outputSchema'] | undefined) ?? null,
    annotations: {
      readOnly: annotations.readOnlyHint ?? null,
      destructive: annotations.destructiveHint ?? null,
      idempotent: annotations.idempotentHint ?? null,
      openWorld: annotations.openWorldHint ?? null,
    },
  };
  return { ...told, hash: sha256Hex(canonicalJson(told)) };
}

/** Why nobody can call it: models would be given a schema that cannot be checked. */
async function findProblem(
  { name, inputSchema }: Omit<McpTool, 'problem'>,
  maxSchemaBytes: number,
): Promise<string | null> {
  if (name.length === 0 || name.length > 128) return 'its name is not of 1 to 128 characters';
  if (isNestedDeeper(inputSchema, maxSchemaDepth))
    return `its schema is nested more than ${maxSchemaDepth} levels deep`;
  const bytes = Buffer.byteLength(JSON.stringify(inputSchema));
  if (bytes > maxSchemaBytes) return `its schema has ${bytes} bytes; at most ${maxSchemaBytes} are read`;
  const remote = findRemoteReference(inputSchema);
  if (remote !== undefined) return `its schema refers to ${remote.slice(0, 200)}, which is not loaded`;
  try {
    await schemaCheck(inputSchema as never, 'its schema');
    return null;
  } catch (error) {
    return messageOf(error).slice(0, 300);
  }
}

/** A `$ref` that leads out of the schema. */
function findRemoteReference(schema: unknown): string | undefined {
  const open = [schema];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one !== 'object' || one === null) continue;
    const { $ref } = one as { $ref?: unknown };
    if (typeof $ref === 'string' && !$ref.startsWith('#')) return $ref;
    open.push(...Object.values(one).filter((value) => value !== undefined));
  }
  return undefined;
}
