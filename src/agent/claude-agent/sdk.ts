import type { Readable, Writable } from 'node:stream';
import type { HarnessConfig } from '../types.ts';
import { brokenPackage, type LoadedPackage, loadPackage, type VendorPackage } from '../vendors/load-package.ts';

/** Before 0.3.248 a customer could make the SDK read files by writing `@/path`: it knows no `client_composed`. */
const sdkPackage: VendorPackage = { name: '@anthropic-ai/claude-agent-sdk', from: [0, 3, 248], below: [0, 4] };

/** What of `@anthropic-ai/claude-agent-sdk` is used. */
export interface ClaudeSdk {
  /** Starts the SDK's program, which makes the model calls. Throws while it is read when the program fails. */
  query(options: { readonly prompt: AsyncIterable<object>; readonly options: object }): AsyncIterable<SdkMessage> & {
    return?(value: undefined): Promise<unknown>;
  };
}

/** How the SDK wants its program to be started, and what it needs of it. */
export interface SdkSpawn {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface SdkProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
}

export type SdkMessage =
  | { readonly type: 'stream_event'; readonly parent_tool_use_id: string | null; readonly event: StreamEvent }
  | {
      readonly type: 'result';
      readonly subtype: string;
      /** The truth: a failure of the API comes with the subtype `success`. */
      readonly is_error: boolean;
      readonly result?: string;
      readonly errors?: readonly string[];
      readonly api_error_status?: number | null;
    }
  | { readonly type: 'system' | 'assistant' | 'user' };

/** An event of the Messages API. @see https://docs.anthropic.com/en/docs/build-with-claude/streaming */
export type StreamEvent =
  | { readonly type: 'message_start'; readonly message: { readonly model: string; readonly usage?: StreamUsage } }
  | { readonly type: 'content_block_start'; readonly index: number; readonly content_block: StreamBlock }
  | {
      readonly type: 'content_block_delta';
      readonly index: number;
      readonly delta:
        | { readonly type: 'text_delta'; readonly text: string }
        | { readonly type: 'thinking_delta'; readonly thinking: string }
        | { readonly type: 'input_json_delta'; readonly partial_json: string }
        | { readonly type: 'signature_delta' };
    }
  | {
      readonly type: 'message_delta';
      readonly delta: { readonly stop_reason: string | null };
      readonly usage?: StreamUsage;
    }
  | { readonly type: 'content_block_stop' | 'message_stop' | 'ping' };

export type StreamBlock =
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string }
  | { readonly type: 'text' | 'thinking' | 'redacted_thinking' };

/** Tokens as the API counts them: those that were cached are not part of `input_tokens`. */
export interface StreamUsage {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly output_tokens_details?: { readonly thinking_tokens?: number | null } | null;
}

/** @throws RunFailure `harness_package_…`, `folder_not_trusted` */
export function loadSdk(config: HarnessConfig): ClaudeSdk {
  const loaded = loadPackage(sdkPackage, config);
  const { query } = loaded.exports as Partial<ClaudeSdk>;
  if (typeof query !== 'function') throw broken(config, `${loaded.version} has no query`);
  const { platform, arch } = process;
  if (!hasProgram(loaded, `${platform}-${arch}`) && !hasProgram(loaded, `${platform}-${arch}-musl`)) {
    throw broken(config, `${loaded.version} has no program for ${platform}-${arch}: optional packages were left out`);
  }
  return { query };
}

/** The program itself is a package of its own, one for each system. */
function hasProgram({ load }: LoadedPackage, system: string): boolean {
  try {
    load(`${sdkPackage.name}-${system}/package.json`);
    return true;
  } catch {
    return false;
  }
}

/** @param why follows the name of the package */
export const broken = ({ packages }: HarnessConfig, why: string) => brokenPackage(sdkPackage, packages, why);
