import type { OperationName } from '../contract/index.ts';
import { isRecord } from '../std/index.ts';

type Kind = 'text' | 'list' | 'any';

/** The members of answers that commands rely on. Members not listed here may be absent. */
const needed: Partial<Record<OperationName, Readonly<Record<string, Kind>>>> = {
  'templates.send': { conversationId: 'text', conversationUrl: 'text' },
  'templates.uploadCredentials': { mediaId: 'text', uploadUrl: 'text' },
  'sessions.link': { conversationId: 'text', url: 'text' },
  'workspace.show': { slug: 'text' },
  'functions.logs': { items: 'list' },
  'deployments.create': { id: 'any', missing: 'list' },
  'deployments.putFile': { sha256: 'text' },
  'deployments.activate': { id: 'text' },
  'deployments.rollback': { id: 'text' },
  'deployments.show': { id: 'text', fingerprint: 'text', manifest: 'list', createdAt: 'text', createdBy: 'any' },
  'tokens.create': { id: 'text', token: 'text' },
  'channels.connect': { id: 'text', name: 'text' },
  'channels.disconnect': { id: 'text', name: 'text' },
  'apps.install': { app: 'text', installed: 'any' },
  'apps.uninstall': { app: 'text', installed: 'any' },
  'vars.set': { name: 'text', value: 'any' },
};

/**
 * Checks cheaply that JSON is the operation's answer and not that of a portal, a gateway or another API. The real check of shapes would
 * load the schema library.
 */
export function fits(name: OperationName, json: unknown): boolean {
  if (!isRecord(json)) return name === 'deployments.getFile';
  if (name.endsWith('.list') && !Array.isArray(json['items'])) return false;
  return Object.entries(needed[name] ?? {}).every(([member, kind]) => {
    const value = json[member];
    if (kind === 'any') return value !== undefined;
    return kind === 'list' ? Array.isArray(value) : typeof value === 'string';
  });
}
