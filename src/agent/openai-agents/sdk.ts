import type { HarnessConfig } from '../types.ts';
import { brokenPackage, loadPackage, type VendorPackage } from '../vendors/load-package.ts';

const sdkPackage: VendorPackage = { name: '@openai/agents', from: [0, 12], below: [1, 0] };

/** What of `@openai/agents` is used. */
export interface AgentsSdk {
  readonly Agent: new (options: object) => object;
  readonly Runner: new (
    options: object,
  ) => { run(agent: object, items: readonly object[], options: object): Promise<Turn> };
  readonly OpenAIProvider: new (options: object) => object;
  /** The client of the vendor's API that the SDK depends on. */
  readonly OpenAI: new (
    options: object,
  ) => object;
  tool(options: object): object;
  setTracingDisabled(disabled: boolean): void;
}

/** A run of the SDK that is streamed. */
export interface Turn extends AsyncIterable<{ readonly type: string; readonly data?: SdkEvent }> {
  readonly completed: Promise<void>;
}

/** What a model's stream consists of; `model` is an event as the API sends it. */
export type SdkEvent =
  | { readonly type: 'output_text_delta'; readonly delta: string }
  | { readonly type: 'model'; readonly event: unknown }
  | { readonly type: 'response_done'; readonly response: SdkResponse }
  | { readonly type: 'response_started' };

export interface SdkResponse {
  readonly usage: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly inputTokensDetails?: Readonly<Record<string, number>> | readonly Readonly<Record<string, number>>[];
    readonly outputTokensDetails?: Readonly<Record<string, number>> | readonly Readonly<Record<string, number>>[];
  };
  readonly output: readonly SdkItem[];
}

export type SdkItem =
  | {
      readonly type: 'message';
      readonly content: readonly { readonly type: string; readonly text?: string; readonly refusal?: string }[];
    }
  | { readonly type: 'function_call'; readonly callId: string; readonly name: string; readonly arguments: string }
  | { readonly type: 'reasoning' };

/** @throws RunFailure `harness_package_…`, `folder_not_trusted` */
export function loadSdk(config: HarnessConfig): AgentsSdk {
  const { exports, load, version } = loadPackage(sdkPackage, config);
  const sdk = exports as Omit<AgentsSdk, 'OpenAI'>;
  for (const name of ['Agent', 'Runner', 'OpenAIProvider', 'tool', 'setTracingDisabled'] as const) {
    if (typeof sdk[name] !== 'function') throw brokenPackage(sdkPackage, config.packages, `${version} has no ${name}`);
  }
  // It would send what happens to the vendor's own collector.
  sdk.setTracingDisabled(true);
  const { Agent, Runner, OpenAIProvider, tool, setTracingDisabled } = sdk;
  const { OpenAI } = load('openai') as Pick<AgentsSdk, 'OpenAI'>;
  return { Agent, Runner, OpenAIProvider, OpenAI, tool, setTracingDisabled };
}
