import type { ToolPermissions } from '../../contract/function-config/index.ts';
import { type ActorType, type Caller, refusal } from '../../contract/index.ts';
import type { ToolCaller, ToolDescription } from './types.ts';

type Named = 'all' | 'none' | readonly string[];

/** Who may call a tool, with what is left out: nobody. */
export function callersOf(permissions: ToolPermissions | undefined): ToolDescription['callers'] {
  const {
    aiAgents = 'none',
    aiNodes = 'none',
    harnesses = 'none',
    code = false,
    mcp = false,
  } = permissions?.callers ?? {};
  return { aiAgents: listed(aiAgents), aiNodes: listed(aiNodes), harnesses: listed(harnesses), code, mcp };
}

const listed = (names: Named) => (typeof names === 'string' ? names : [...names]);

/**
 * Whether a tool permits a caller, by its `permissions.callers`.
 * @param app of the tool: an agent or a flow of another app is named with that
 */
export function permitsCaller(callers: ToolDescription['callers'], app: string, caller: ToolCaller): boolean {
  switch (caller.kind) {
    case 'aiAgent':
      return isNamed(callers.aiAgents, app, caller.app, caller.name);
    case 'aiNode':
      return isNamed(callers.aiNodes, app, caller.app, `${caller.flow}/${caller.node}`);
    case 'harness':
      return isNamed(callers.harnesses, app, app, caller.name);
    case 'mcp':
      return callers.mcp;
    case 'code':
      return callers.code;
    case 'person':
      return true;
  }
}

function isNamed(names: Named, app: string, callersApp: string, name: string): boolean {
  if (names === 'all') return true;
  if (names === 'none') return false;
  return names.includes(`${callersApp}/${name}`) || (callersApp === app && names.includes(name));
}

/** The caller as logs and events name it: one list of who acts. */
export function actorOfTool(caller: ToolCaller): { readonly type: ActorType; readonly id: string | null } {
  switch (caller.kind) {
    case 'aiAgent':
      return { type: 'aiAgent', id: caller.id ?? `${caller.app}/${caller.name}` };
    case 'aiNode':
      return { type: 'flow', id: `${caller.app}/${caller.flow}/${caller.node}` };
    case 'harness':
      return { type: 'aiAgent', id: caller.name };
    case 'mcp':
      return { type: 'mcp', id: caller.name ?? null };
    case 'code':
      return { type: caller.type, id: caller.id };
    case 'person':
      return { type: 'agent', id: caller.agentId };
  }
}

/** The words for a caller in a refusal. */
export function wordsFor(caller: ToolCaller): string {
  switch (caller.kind) {
    case 'aiAgent':
      return `the AI agent ${caller.name}`;
    case 'aiNode':
      return `the node ${caller.node} of the flow ${caller.flow}`;
    case 'harness':
      return `runs with the harness ${caller.name}`;
    case 'mcp':
      return 'MCP hosts';
    case 'code':
      return caller.type === 'function' ? 'functions' : 'callers with an API token';
    case 'person':
      return 'people';
  }
}

/** Who calls, if it is by the operation `tools.call`. @throws WorkspaceError operation_not_allowed for a customer */
export function toolCallerOf(caller: Caller): ToolCaller {
  switch (caller.type) {
    case 'function':
      return { kind: 'code', type: 'function', app: caller.app, id: caller.name ?? caller.id };
    case 'token':
      return caller.isMachine ? { kind: 'person', agentId: null } : { kind: 'code', type: 'api', id: caller.id };
    case 'agent':
      return { kind: 'person', agentId: caller.id };
    case 'local':
    case 'system':
      return { kind: 'person', agentId: null };
    case 'aiAgent':
      return { kind: 'harness', name: caller.name ?? '' };
    case 'customer':
      throw refusal('operation_not_allowed', 'A customer calls no tools');
    case 'flow':
      throw refusal('operation_not_allowed', 'A flow calls tools by its AI nodes');
  }
}
