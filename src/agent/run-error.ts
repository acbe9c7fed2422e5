import { shortened } from '../std/index.ts';
import type { RunProblem } from './types.ts';

/** Why a run fails, by code, with what to do about it. */
export const runErrorHints = {
  budget_cost: 'Raise maxCostUsd in the budget, or use a cheaper model.',
  budget_tokens: 'Raise maxTokens in the budget, or shorten instructions and history.',
  budget_model_calls: 'Raise maxModelCalls in the budget, or tell the agent when it is done.',
  budget_tool_calls: 'Raise maxToolCalls in the budget, or tell the agent when it is done.',
  budget_time: 'Raise maxSeconds in the budget.',
  budget_price_unknown:
    'State the price of the model, allow an unknown price, or leave maxCostUsd out: tokens and calls stay limited.',
  model_key_missing: 'Give the harness a key.',
  model_auth: 'Check the key of the harness.',
  model_rate_limited: 'Wait, or name a fallback model.',
  model_unavailable: 'Try again later, check the base URL of the harness, or name a fallback model.',
  model_bad_request: 'Check the names of the models and the schemas of the tools.',
  model_bad_answer:
    'The endpoint does not answer as its kind of API does. Check the base URL and the provider of the harness.',
  model_empty_answer: 'Check the instructions, or use another model.',
  model_script_missing: 'Write agents/NAME.model.json, or use the model script:default.',
  model_script_invalid: 'Correct the script of the model.',
  harness_not_available: 'Use a harness of another kind.',
  harness_package_missing: 'Install the package in the app’s folder.',
  harness_package_unsupported: 'Install another version of the package in the app’s folder.',
  harness_package_broken: 'Install the package again in the app’s folder.',
  harness_module_missing: 'Name a file of the app that exports the agent.',
  harness_module_broken: 'Correct the module: it is loaded by Node, outside the sandbox.',
  harness_agent_unsupported: 'Export the agent of a framework as default. See docs/guide/harnesses.md.',
  folder_not_trusted: 'If you trust the code in this folder: fn trust. In CI: FN_TRUST=1.',
  harness_address_invalid: 'Give the harness an https URL, or an http URL on this machine.',
  harness_unauthorized: 'Check that the server of the harness verifies with the current secret.',
  harness_endpoint: 'Check the URL of the harness: it must accept POST.',
  harness_unavailable: 'Check that the server of the harness runs, and its log.',
  harness_timeout: 'The server of the harness must begin its answer sooner, and send a comment line while it works.',
  harness_connection_lost: 'The server of the harness must end every answer with RUN_FINISHED or RUN_ERROR.',
  harness_protocol: 'Run "fn harness check" against the server of the harness.',
  harness_reply_too_large: 'The server of the harness must answer with less.',
  harness_duplicate: 'The server of the harness has answered this leg already; start another run.',
  harness_failed: 'See the log of the server of the harness.',
  harness_legs: 'The agent calls tools leg after leg without an end; tell it when it is done.',
  run_interrupted: 'Start another run; what this one did is in its record.',
  tool_loop: 'Improve the description and schema of the tool.',
  internal: 'This is a bug; please report it.',
  mcp_unavailable: 'Check the MCP client that the agent requires: fn mcp check NAME.',
} as const;

export type RunErrorCode = keyof typeof runErrorHints;

/** Ends a run. The message holds no key and no secret. */
export class RunFailure extends Error {
  readonly problem: RunProblem;

  constructor(code: RunErrorCode, message: string, options: { cause?: unknown; hint?: string } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'RunFailure';
    this.problem = { code, message, hint: options.hint ?? runErrorHints[code] };
  }
}

type Secrets = readonly (string | undefined)[];

/** Shorter ones would blank out half of every text. */
const minSecretLength = 4;

/** Replaces secrets in a text that came from elsewhere. A text that is to be shortened, too: `quoteForeign`. */
export function withoutSecrets(text: string, secrets: Secrets): string {
  return hideable(secrets).reduce((clean, secret) => clean.replaceAll(secret, '[secret]'), text);
}

/**
 * The beginning of a text that came from elsewhere, without secrets. They are replaced before the text is cut: the half of one would no
 * longer be found. Nor does the half of one stay where the text itself broke off.
 */
export function quoteForeign(text: string, maxLength: number, secrets: Secrets): string {
  const clean = withoutSecrets(text, secrets);
  const half = Math.max(0, ...hideable(secrets).map((secret) => halfAtEnd(clean, secret)));
  return shortened(half === 0 ? clean : `${clean.slice(0, -half)}[secret]`, maxLength);
}

/** The longest first: one may begin like another. */
const hideable = (secrets: Secrets): string[] =>
  secrets
    .filter((secret): secret is string => secret !== undefined && secret.length >= minSecretLength)
    .sort((a, b) => b.length - a.length);

/** How much of a secret a text ends with. */
function halfAtEnd(text: string, secret: string): number {
  for (let length = Math.min(secret.length - 1, text.length); length >= minSecretLength; length--) {
    if (text.endsWith(secret.slice(0, length))) return length;
  }
  return 0;
}
