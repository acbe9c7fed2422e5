import { configFields } from '../../src/contract/function-config/index.ts';
import { type FunctionType, functionTypeNames, functionTypes } from '../../src/contract/index.ts';

const interfaces: Readonly<Record<FunctionType, string>> = {
  'server-side-method': 'ServerSideMethod',
  'custom-flow-node': 'CustomFlowNode',
  'custom-view': 'CustomView',
  'ai-tool': 'AiTool',
  'cron-job': 'CronJob',
  'custom-app-setup': 'CustomAppSetup',
};

const usage: Readonly<Record<FunctionType, string>> = {
  'server-side-method': 'An endpoint at `/api/<slug>/custom-functions/<app>/<path>.js`, if `expose` is set.',
  'custom-flow-node': 'A node of a flow with one exit for each outcome.',
  'custom-view': 'A part of the workspace’s interface, in the browser.',
  'ai-tool': 'A tool that AI agents call, with schema, permissions and log.',
  'cron-job': 'A job that runs on a schedule.',
  'custom-app-setup': 'Runs when the app is installed, updated or uninstalled.',
};

/** The TypeScript type of each field; names, whether it must be there and what it is come from the contract. */
const types: Readonly<Record<string, string>> = {
  description: 'string',
  isolation: "'fresh' | 'warm'",
  limits: 'FunctionLimits',
  'ai-tool.limits': 'ToolLimits',
  secrets: 'readonly string[]',
  expose: 'false | Expose',
  events: 'readonly string[]',
  title: 'string',
  input: 'JsonSchema',
  output: 'JsonSchema',
  settings: 'JsonSchema',
  outcomes: 'readonly string[]',
  placement: "'conversation' | 'customer' | 'page'",
  height: 'number',
  name: 'string',
  permissions: 'ToolPermissions',
  confirm: 'Confirmer | ToolConfirmation',
  annotations: 'ToolAnnotations',
  log: 'ToolLog',
  schedule: 'string',
  timezone: 'string',
  overlap: "'skip' | 'queue'",
};

/** The `config` of each of the six types, as interfaces. */
export function configTypes(): string {
  return functionTypeNames.map(interfaceOf).join('\n\n');
}

function interfaceOf(type: FunctionType): string {
  const fields = Object.entries(configFields[type]).map(([name, field]) => {
    const written = name === 'type' ? `'${type}'` : (types[`${type}.${name}`] ?? types[name]);
    if (written === undefined) throw new Error(`types-configs.ts: the field ${name} of ${type} has no type`);
    const declared = field.required ? `${name}: ${written}` : `${name}?: ${written} | undefined`;
    return `  /** ${capital(field.summary)}. */\n  readonly ${declared};`;
  });
  return `/** \`config\` of ${withArticle(functionTypes[type].title)}. ${usage[type]} */\nexport interface ${interfaces[type]} {\n${fields.join('\n')}\n}`;
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

function withArticle(title: string): string {
  return `${/^[AEIOU]/.test(title) ? 'an' : 'a'} ${title}`;
}
