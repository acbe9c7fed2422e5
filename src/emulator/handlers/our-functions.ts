import { type Caller, type OperationName, operations } from '../../contract/index.ts';
import { permit } from '../../workspace/index.ts';

export type OurOperations = 'templates.send' | 'templates.list' | 'templates.uploadCredentials' | 'sessions.link';

/** The built-in function behind each operation. */
export const ourFunctions: Readonly<Record<OurOperations, { app: string; name: string; method: 'GET' | 'POST' }>> = {
  'templates.send': { app: 'template-app', name: 'api/template/send', method: 'POST' },
  'templates.list': { app: 'template-app', name: 'api/template/list', method: 'GET' },
  'templates.uploadCredentials': { app: 'template-app', name: 'api/template/upload-credentials', method: 'POST' },
  'sessions.link': { app: 'session-link-app', name: 'api/session/link', method: 'POST' },
};

export function isOurs(name: OperationName): name is OurOperations {
  return Object.hasOwn(ourFunctions, name);
}

const operationAt = new Map(
  (Object.keys(ourFunctions) as OurOperations[]).map((operation) => {
    const { app, name } = ourFunctions[operation];
    return [`${app}/${name}`, operation];
  }),
);

/** Running a built-in function by name requires the scope of its operation. @throws WorkspaceError token_scope */
export function permitOurs(app: string, name: string, caller: Caller): void {
  const operation = operationAt.get(`${app}/${name}`);
  if (operation) permit(operation, operations[operation], caller);
}
