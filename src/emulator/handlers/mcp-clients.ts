import { checkServerUrl, type Output, refusal } from '../../contract/index.ts';
import type { McpError } from '../../mcp/index.ts';
import type { ListedMcpTool } from '../../workspace/index.ts';
import type { ProbedServer } from '../mcp/mcp-clients.ts';
import { authorizationOf, redactorOf } from '../mcp/redact.ts';
import type { HandlersOf, MachineParts } from './parts.ts';
import { callAnswer, callOf } from './tools.ts';

type Check = Output<'mcpClients.check'>;
type Problem = Check['problems'][number];

export function mcpClientHandlers({
  mcpClients,
  tools,
  workspace,
}: Pick<MachineParts, 'mcpClients' | 'tools' | 'workspace'>): HandlersOf<'mcpClients'> {
  return {
    async 'mcpClients.tools'({ id, refresh }, _caller, { signal }) {
      const { tools, gone } = await mcpClients.tools(id, { refresh: refresh === true, signal });
      return { items: [...tools], gone: { ...gone } };
    },

    async 'mcpClients.call'({ id, tool, arguments: given = {} }, caller, options) {
      const { name } = await mcpClients.require(id);
      const call = callOf(workspace, caller, options);
      const answer = await tools.callTool({ ...call, name: `${name}/${tool}`, arguments: given });
      return callAnswer(answer);
    },

    async 'mcpClients.check'({ id, url, auth }, _caller, { signal }) {
      const given =
        auth === undefined || auth.kind === 'none' ? { auth: 'none' as const } : { auth: auth.kind, ...auth };
      const client = id === undefined ? undefined : await mcpClients.require(id);
      const access = client ?? { user: null, secret: undefined, ...given };
      const address = { url: client?.url ?? requireUrl(url ?? ''), authorization: authorizationOf(access as never) };
      const redact = redactorOf(access as never);
      try {
        return redact(reportOf(await mcpClients.probe(address, signal)));
      } catch (error) {
        const failure = error as McpError;
        if (!String(failure.code).startsWith('mcp_')) throw error;
        const problem: Problem = {
          code: failure.code,
          tool: null,
          message: redact(failure.message),
          fix: fixes[failure.code] ?? 'Ask those who run the server.',
          level: 'error',
        };
        return { ok: false, transport: null, protocolVersion: null, server: null, tools: 0, problems: [problem] };
      }
    },
  };
}

/** @throws WorkspaceError mcp_url_invalid, mcp_url_insecure, mcp_url_private */
function requireUrl(text: string): string {
  const checked = checkServerUrl(text, { allowLoopback: true });
  if ('url' in checked) return checked.url;
  throw refusal(checked.code, checked.message, { hint: checked.hint });
}

function reportOf({ transport, protocolVersion, server, tools }: ProbedServer): Check {
  const problems = tools.flatMap(problemsOf);
  return {
    ok: problems.every(({ level }) => level !== 'error'),
    transport,
    protocolVersion,
    server,
    tools: tools.length,
    problems,
  };
}

function problemsOf({ name, problem, warnings }: ListedMcpTool): Problem[] {
  return [
    ...(problem === null
      ? []
      : [
          {
            code: 'mcp_tool_unusable',
            tool: name,
            message: problem,
            fix: 'Its server has to change it; nobody can call it until then.',
            level: 'error' as const,
          },
        ]),
    ...warnings.map((message) => ({
      code: 'mcp_tool_suspicious',
      tool: name,
      message,
      fix: 'Read its texts before you give it to an agent.',
      level: 'warning' as const,
    })),
  ];
}

const fixes: Readonly<Record<string, string>> = {
  mcp_unauthorized: 'Check user and secret: --auth basic --user NAME or --auth bearer, with --secret-stdin.',
  mcp_unavailable: 'Check that the server runs and that the address is right; try again later.',
  mcp_endpoint_invalid: 'Check the path of the address: servers usually answer at /sse or /mcp.',
  mcp_redirected: 'Use the address that it redirects to.',
  mcp_timeout: 'Check that the server is an MCP server, and that it answers.',
};
