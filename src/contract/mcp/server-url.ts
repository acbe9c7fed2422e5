import { checkEndpointUrl, type EndpointProblem } from '../webhooks/endpoint-url.ts';

export interface ServerUrlProblem {
  readonly code: 'mcp_url_invalid' | 'mcp_url_insecure' | 'mcp_url_private';
  readonly message: string;
  readonly hint: string;
}

/**
 * Checks the address of an MCP server by the rules of webhook endpoints: https, or http on this machine.
 * @param allowLoopback whether the workspace is on the machine of the developer
 */
export function checkServerUrl(
  text: string,
  options: { readonly allowLoopback: boolean },
): { readonly url: string } | ServerUrlProblem {
  const checked = checkEndpointUrl(text, options);
  if ('url' in checked) return checked;
  return { ...(problems[checked.code] ?? invalid), message: checked.message };
}

const invalid = {
  code: 'mcp_url_invalid',
  hint: 'It looks like https://mcp.example/sse, or http://127.0.0.1:3001/sse on this machine. User and password are given apart from it.',
} as const;
const problems: Partial<Record<EndpointProblem['code'], Omit<ServerUrlProblem, 'message'>>> = {
  webhook_url_insecure: {
    code: 'mcp_url_insecure',
    hint: 'Use https. Plain http is only for this machine: localhost or 127.0.0.1.',
  },
  webhook_url_private: {
    code: 'mcp_url_private',
    hint: 'MCP servers are reached at public addresses, and from a local workspace on this machine.',
  },
};
