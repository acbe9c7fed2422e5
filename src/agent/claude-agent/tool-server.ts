import { Server } from '@modelcontextprotocol/server';
import type { ToolMessage, ToolSpec } from '../types.ts';

/** How the SDK names the tools of a server: behind its own name. */
export const serverName = 'fn';
export const toolPrefix = `mcp__${serverName}__`;

/** Where the SDK says which call of the model a request belongs to. */
const callIdField = 'claudecode/toolUseId';

/**
 * The tools of a run as a server inside this process, which is all that the SDK is given. It carries nothing out: a request waits for
 * what the gate gave.
 */
export class ToolServer {
  readonly server: Server;
  readonly #results = new Map<string, PromiseWithResolvers<ToolMessage>>();
  /** Calls that have their result, and were not asked for. */
  readonly #unasked = new Set<string>();

  constructor(tools: readonly ToolSpec[]) {
    this.server = new Server({ name: serverName, version: '1' }, { capabilities: { tools: {} } });
    this.server.setRequestHandler('tools/list', async () => ({
      tools: tools.map(({ name, description, input, readOnly = false }) => ({
        name,
        description,
        inputSchema: { ...input, type: 'object' as const },
        annotations: { readOnlyHint: readOnly },
      })),
    }));
    this.server.setRequestHandler('tools/call', async ({ params }) => {
      const id = String(params._meta?.[callIdField]);
      const { content, errorCode } = await this.#of(id).promise;
      this.#unasked.delete(id);
      return { content: [{ type: 'text', text: content }], ...(errorCode !== undefined && { isError: true }) };
    });
  }

  /** Whether every result was asked for. */
  get isEven(): boolean {
    return this.#unasked.size === 0;
  }

  /** @param id the model's own id of the call */
  answer(id: string, result: ToolMessage): void {
    this.#unasked.add(id);
    this.#of(id).resolve(result);
  }

  #of(id: string): PromiseWithResolvers<ToolMessage> {
    const made = this.#results.get(id) ?? Promise.withResolvers<ToolMessage>();
    this.#results.set(id, made);
    return made;
  }
}
