import { createHash } from 'node:crypto';
import {
  defaultLimits,
  type Host,
  type InvocationRequest,
  type Limits,
  type Program,
} from '../../../src/sandbox/index.ts';

/** A program out of the body of its default export. `top`: what stands at the module's top level before it. */
export function aProgram(body: string, { top = '', name = 'api/test', config = 'undefined' } = {}): Program {
  const code = `(async (register) => { "use strict";\n${top}\nregister({ default: async (sdk) => {\n${body}\n}, config: ${config} });\n})`;
  return programOf(code, name);
}

export function programOf(code: string, name = 'api/test', sourceMap?: string): Program {
  return {
    id: createHash('sha256').update(code).digest('hex'),
    app: 'test-app',
    name,
    code,
    ...(sourceMap !== undefined && { sourceMap }),
  };
}

export interface RequestChanges extends Partial<Omit<InvocationRequest, 'limits'>> {
  limits?: Partial<Limits>;
}

export function aRequest({ limits, ...changes }: RequestChanges = {}): InvocationRequest {
  return { argument: {}, isolation: 'fresh', ...changes, limits: { ...defaultLimits, wallMs: 5_000, ...limits } };
}

/** Answers calls with their own input, and refuses to fetch. */
export const echoHost: Host = {
  call: async (operation, input) => ({ ok: { operation, input } }),
  fetch: () => Promise.reject(new Error('no network here')),
};
