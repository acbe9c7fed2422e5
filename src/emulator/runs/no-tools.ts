import type { RunTools } from './run-tools.ts';

/** Runs whose only tool is the handover: the names of an agent's tools lead nowhere here, and the run says so. */
export const noTools: RunTools = {
  async offer({ spec }) {
    const warnings = spec.tools.map((name) => ({ code: 'tool_unknown', message: `There is no tool "${name}"` }));
    return { tools: [], warnings };
  },
  async call(_run, name) {
    const error = { code: 'tool_unknown', message: `There is no tool "${name}"`, retryable: false };
    return { status: 'error', content: JSON.stringify({ error }), error };
  },
};
