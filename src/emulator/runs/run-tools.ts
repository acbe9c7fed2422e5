import type { ToolCallOptions, ToolResult, ToolSpec } from '../../agent/index.ts';
import type { LoadedRun } from '../../workspace/index.ts';

/** A tool that a run may call, and where it comes from, for the record. */
export interface OfferedTool {
  readonly spec: ToolSpec;
  readonly source: {
    readonly type: 'function' | 'mcp' | 'platform';
    readonly function: string | null;
    readonly client: string | null;
  };
}

/** What a run may call, and the gate behind it. */
export interface RunTools {
  /** @returns the tools, and why some are missing */
  offer(run: LoadedRun): Promise<{
    readonly tools: readonly OfferedTool[];
    readonly warnings: readonly { readonly code: string; readonly message: string }[];
  }>;
  /**
   * Calls a tool. A failure is a result, too.
   * @param again the call was begun before, and nobody saw its end
   */
  call(run: LoadedRun, name: string, args: unknown, options: ToolCallOptions & { again: boolean }): Promise<ToolResult>;
}
