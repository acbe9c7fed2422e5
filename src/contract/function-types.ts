/** The six types of custom function, in the platform's order (spec 1.3). */
export const functionTypes = {
  'custom-flow-node': { short: 'flow-node', title: 'Custom Flow Node', folder: 'flow-nodes', sdk: 'server' },
  'server-side-method': { short: 'method', title: 'Server Side Method', folder: 'api', sdk: 'server' },
  'custom-view': { short: 'view', title: 'Custom View', folder: 'views', sdk: 'client' },
  'ai-tool': { short: 'tool', title: 'AI Tool', folder: 'tools', sdk: 'server' },
  'cron-job': { short: 'cron', title: 'Cron Job', folder: 'cron', sdk: 'server' },
  'custom-app-setup': { short: 'setup', title: 'Custom App Setup', folder: '', sdk: 'server' },
} as const;

/** The type as written in `config.type` and on the wire. */
export type FunctionType = keyof typeof functionTypes;

export const functionTypeNames = Object.keys(functionTypes) as FunctionType[];

/** Parses a type as a person writes it: wire name or short name. */
export function functionTypeOf(text: string): FunctionType | undefined {
  return functionTypeNames.find((type) => type === text || functionTypes[type].short === text);
}
