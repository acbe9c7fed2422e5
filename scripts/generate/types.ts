import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '../../src/contract/index.ts';
import { entities, inputEntities } from './schemas-of.ts';
import { areasOf } from './types-areas.ts';
import { configTypes } from './types-configs.ts';
import { operationsTypes } from './types-operations.ts';

const toolLimits: Readonly<Record<string, string>> = {
  timeoutMs: 'An alias of `wallMs`',
  maxCallsPerRun: 'Calls per agent run',
  perMinute: 'Calls per minute',
  maxResultBytes: 'Largest result to pass to the model, in bytes',
};

const functionLimits: Readonly<Record<string, string>> = {
  wallMs: `Time it may take, in ms; default ${limits.function.wallMs}`,
  cpuMs: `Processor time it may use, in ms; default ${limits.function.cpuMs}`,
  memoryMb: `Memory it may use, in MiB; default ${limits.function.memoryMb}`,
  bodyBytes: 'Largest request body, in bytes',
  resultBytes: 'Largest result, in bytes',
  logLines: 'Log lines of one invocation',
};

/** What authors import from `convo-fn` and `convo-fn/testing`, by file name. */
export async function generateTypes(): Promise<Map<string, string>> {
  const common = ['Json', 'Page', 'ErrorCode', 'Operations', 'EventData', 'EventKind', 'WebhookEvent'];
  const names = [...common, ...Object.keys(entities), ...Object.keys(inputEntities)];
  const parts: Readonly<Record<string, string>> = {
    names: names
      .sort()
      .map((name) => `  ${name},`)
      .join('\n'),
    configs: configTypes(),
    limits: numbers(functionLimits),
    toolLimits: numbers(toolLimits),
    server: areasOf('sdk'),
    client: areasOf('client'),
  };
  const head = await readFile(join(import.meta.dirname, 'authors.d.ts.txt'), 'utf8');
  const testing = await readFile(join(import.meta.dirname, 'testing.d.ts.txt'), 'utf8');
  return new Map([
    ['types/operations.d.ts', operationsTypes()],
    ['types/index.d.ts', head.replace(/^@@(\w+)$/gm, (_, name: string) => parts[name] ?? '')],
    ['types/assets.d.ts', assetTypes(await readFile(join(import.meta.dirname, 'assets.d.ts.txt'), 'utf8'))],
    ['types/testing.d.ts', testing],
    ['types/index.d.cts', commonJsTypes],
    // For files of CommonJS: the types of a module have to be asked for as such there.
    ['types/testing.d.cts', testing.replace(/ from '\.\/index\.d\.ts'/, "$& with { 'resolution-mode': 'import' }")],
  ]);
}

/** `import type` from a file of CommonJS under `module: node16`, which refuses types of a module that are not asked for as such. */
const commonJsTypes = `// Made by "npm run generate". Do not edit.
export type * from './index.d.ts' with { 'resolution-mode': 'import' };
`;

function numbers(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, about]) => `  /** ${about}. */\n  readonly ${name}?: number | undefined;`)
    .join('\n');
}

/** The endings that the bundler takes; a test looks whether it does. */
export const assetEndings = {
  texts: [
    'csv',
    'ejs',
    'gql',
    'graphql',
    'hbs',
    'html',
    'liquid',
    'md',
    'mjml',
    'mustache',
    'njk',
    'sql',
    'svg',
    'tsv',
    'txt',
    'xml',
    'yaml',
    'yml',
  ],
  bytes: ['avif', 'bin', 'gif', 'ico', 'jpeg', 'jpg', 'pdf', 'png', 'ttf', 'wasm', 'webp', 'woff', 'woff2'],
} as const;

function assetTypes(text: string): string {
  const declare = (type: string) => (ending: string) =>
    `declare module '*.${ending}' {\n  const content: ${type};\n  export default content;\n}`;
  return text
    .replace('@@texts', assetEndings.texts.map(declare('string')).join('\n'))
    .replace('@@bytes', assetEndings.bytes.map(declare('any')).join('\n'));
}
