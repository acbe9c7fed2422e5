import { WorkspaceError } from '../../std/index.ts';

/** The hint for an error: its own, or else what to do about it, such as the command that lists the objects in question. */
export function hintOf(error: { readonly code: string; readonly hint?: string | undefined }): string | undefined {
  if (error.hint !== undefined || !(error instanceof WorkspaceError)) return error.hint;
  if (error.code === 'idempotency_key_reused') return 'Use another key, or repeat the first request exactly.';
  const line = Object.hasOwn(lists, error.code) ? lists[error.code] : undefined;
  return line && `See: ${line}`;
}

const lists: Readonly<Record<string, string>> = {
  agent_not_found: 'fn api agents.list',
  app_unknown: 'fn app list',
  channel_not_found: 'fn channel list',
  conversation_not_found: 'fn api conversations.list',
  customer_not_found: 'fn api customers.list',
  deployment_not_found: 'fn versions',
  invocation_not_found: 'fn api invocations.list',
  secret_not_found: 'fn secret list',
  template_not_approved: 'fn template list',
  template_not_found: 'fn template list',
  token_not_found: 'fn token list',
  var_not_found: 'fn var list',
  workgroup_not_found: 'fn api workgroups.list',
};
