import { allCommands, headings } from '../../src/cli/commands.ts';
import { configFields, type Fields } from '../../src/contract/function-config/index.ts';
import {
  aboutEvents,
  type EventKind,
  errorCodes,
  eventKinds,
  type FunctionType,
  functionTypeNames,
  functionTypes,
  limits,
  operationNames,
  operationOf,
} from '../../src/contract/index.ts';
import { exampleEventOf } from '../../src/contract/shapes/index.ts';
import { fetchLimits } from '../../src/emulator/invoke/fetch/outgoing-fetch.ts';
import { appConfigSchema, functionTemplates } from '../../src/project/index.ts';
import { fetchesAtOnce } from '../../src/sandbox/limits.ts';
import { mostHeaderBytes } from '../../src/sdk/result.ts';
import { mediaTypeOf, supportedMedia } from '../../src/workspace/files/media-rules.ts';
import { capital, code, page, table } from './markdown.ts';
import { rowsOf } from './schema-rows.ts';
import { entities, eventDataSchema, type Schema, seedSchema } from './schemas-of.ts';

export function errorsPage(): string {
  const users = (known: string) =>
    operationNames.filter((name) => operationOf(name).errors?.some((one) => one === known));
  return page(
    'Error codes',
    'The codes with which a workspace refuses a request. They are the same over REST (`code` of the problem), in a function (`error.code` of an `SdkError`), and in `fn --json`. Branch on the code, never on the message. If no operations are listed for a code, any operation may return it.',
    table(
      ['code', 'status', 'meaning', 'operations'],
      Object.entries(errorCodes).map(([known, { status, title }]) => {
        const names = users(known);
        const shown = names.slice(0, 6).map((name) => `\`${name}\``);
        return [`\`${known}\``, String(status), title, [...shown, ...(names.length > 6 ? ['…'] : [])].join(', ')];
      }),
    ),
  );
}

export function eventsPage(): string {
  const envelope = entities['Event'];
  if (envelope === undefined) throw new Error('there is no shape of events');
  return page(
    'Events',
    "The events that a workspace records in its journal, in the same transaction as the change that caused them. `events.list` and `events.stream` read it; [webhooks](../guide/events.md) deliver them. `fn webhook events --schema KIND` prints the JSON Schema of a kind; the files are in `convo-fn/schema/events/`. In TypeScript: `import type { WebhookEvent } from 'convo-fn'`.",
    table(
      ['event', 'what happened'],
      eventKinds.map((kind) => [`[\`${kind}\`](#${anchorOf(kind)})`, aboutEvents[kind]]),
    ),
    '## Every event',
    table(['field', 'type', ''], rowsOf(envelope, { input: false, except: 'Event', page: 'operations.md' })),
    ...eventKinds.map(eventSection),
  );
}

const anchorOf = (kind: string): string => kind.replaceAll('.', '').toLowerCase();

function eventSection(kind: EventKind): string {
  const causes = operationNames.filter((name) => operationOf(name).emits?.includes(kind)).map((name) => `\`${name}\``);
  return [
    `## ${kind}`,
    `${aboutEvents[kind]}.${causes.length === 0 ? '' : ` Caused by ${causes.join(', ')}.`}`,
    table(
      ['`data`', 'type', ''],
      rowsOf(eventDataSchema(kind), { input: false, page: 'operations.md' }).map(([path, type, notes]) => [
        path,
        type,
        notes,
      ]),
    ),
    code('json', JSON.stringify(exampleEventOf(kind), null, 2)),
  ].join('\n\n');
}

const aboutLimits: Readonly<Record<string, string>> = {
  function: 'One invocation of a function. `config.limits` and `limits` in `fn.config.json` can lower these.',
  request: 'One request to the workspace.',
  seed: 'A seed that is sent to the workspace; `items` applies to each of its lists.',
  list: 'Items of one page of a list.',
  invocations: 'Records of invocations.',
  store: '`sdk.store` of one app.',
  deployment: 'One deployment; `kept` is how many versions of each app that were live are kept.',
  media: 'Uploaded media.',
};

export function limitsPage(): string {
  const sections = Object.entries(limits).map(([area, value]) => {
    const rows: [string, unknown][] = typeof value === 'object' ? Object.entries(value) : [['', value]];
    const about = aboutLimits[area] ? `\n\n${aboutLimits[area]}` : '';
    return `## ${area}${about}\n\n${limitRows(
      Object.fromEntries(rows.map(([name, amount]) => [name || area, Number(amount)])),
    )}`;
  });
  return page(
    'Limits',
    'Everything in `fn` has a limit. These are the ones that a function or a request can reach.',
    ...sections,
    `## fetch\n\nRequests that functions make.\n\n${limitRows({ ...fetchLimits, atOnce: fetchesAtOnce })}`,
    `## response\n\nHeaders and \`statusText\` of a \`Response\` that a method returns.\n\n${limitRows({ headerBytes: mostHeaderBytes })}`,
    `## media types\n\nMedia types for the header of a template. The first bytes of a file must match its type.\n\n${table(
      ['type', 'as', 'at most'],
      supportedMedia.map((type) => {
        const { format = '', mostBytes = 0 } = mediaTypeOf(type) ?? {};
        return [`\`${type}\``, format, amountOf('mostBytes', mostBytes)];
      }),
    )}`,
  );
}

function limitRows(values: Readonly<Record<string, number>>): string {
  return table(
    ['limit', 'value'],
    Object.entries(values).map(([name, amount]) => [`\`${name}\``, amountOf(name, amount)]),
  );
}

function amountOf(name: string, amount: number): string {
  const number = amount.toLocaleString('en-US').replaceAll(',', ' ');
  if (name.endsWith('Bytes')) {
    const kib = amount / 1024;
    return `${kib >= 1024 ? `${kib / 1024} MiB` : `${kib} KiB`} (${number} bytes)`;
  }
  if (name.endsWith('Ms')) return amount >= 1000 ? `${amount / 1000} s` : `${amount} ms`;
  if (name.endsWith('Mb')) return `${amount} MiB`;
  for (const unit of ['Hours', 'Days', 'Minutes']) if (name.endsWith(unit)) return `${number} ${unit.toLowerCase()}`;
  return number;
}

const returns: Readonly<Record<FunctionType, string>> = {
  'server-side-method': 'JSON, or a web-standard `Response`. Its input is the JSON body.',
  'custom-flow-node': '`{outcome, output?, variables?}`; `outcome` is one of `config.outcomes`.',
  'custom-view': 'A function that cleans up, or nothing.',
  'ai-tool': 'JSON that fits `config.output`.',
  'cron-job': 'Anything; it is recorded.',
  'custom-app-setup': 'Anything; it is recorded. If it throws, the previous version and settings stay in force.',
};

const adds: Readonly<Record<FunctionType, string>> = {
  'server-side-method': '`sdk.request`: a web-standard `Request`',
  'custom-flow-node': '`sdk.flow` {node, input, conversation, customer, variables}',
  'custom-view': 'the Client SDK; `sdk.view` {container, context, on, resize}',
  'ai-tool': '`sdk.tool` {args, run, conversation}',
  'cron-job': '`sdk.cron` {scheduledAt, lastRunAt}',
  'custom-app-setup': '`sdk.setup` {phase: install | update | uninstall, settings, fromVersion}',
};

export function functionsPage(): string {
  const common = Object.keys(configFields['custom-app-setup']).filter((name) =>
    functionTypeNames.every((type) => name in configFields[type] && name !== 'settings'),
  );
  const general = configFields['cron-job'];
  const rows = (fields: Fields, names: readonly string[], prefix = ''): string[][] =>
    names.flatMap((name) => {
      const field = fields[name];
      if (field === undefined) return [];
      const { takes, required, summary, holds = {} } = field;
      // What a limit of every type is stands above.
      const known = prefix === '' && fields !== general ? (general[name]?.holds ?? {}) : {};
      const inner = Object.keys(holds).filter((one) => !(one in known));
      return [
        [`\`${prefix}${name}\``, takes, `${required ? '**required** · ' : ''}${capital(summary)}`],
        ...rows(holds, inner, `${prefix}${name}.`),
      ];
    });
  return page(
    'Functions',
    'A file below `functions/` is a function: it exports `config`, which declares its type and settings, and a default function, which receives `sdk`. Its path below `functions/`, ending in `.js`, is its path on the platform; without the ending it is its name. Files and folders that begin with `_`, and `.test.` files, are not functions.',
    table(
      ['type', 'short', '`sdk` adds', 'default folder'],
      functionTypeNames.map((type) => [
        `[\`${type}\`](#${type})`,
        `\`${functionTypes[type].short}\``,
        adds[type],
        `\`functions/${functionTypes[type].folder}${functionTypes[type].folder ? '/' : ''}\``,
      ]),
    ),
    `## Every type\n\n${table(['field', 'takes', ''], rows(general, common))}`,
    ...functionTypeNames.map((type) => {
      const fields = configFields[type];
      const shown = Object.keys(fields).filter((name) => !common.includes(name) || fields[name] !== general[name]);
      return [
        `## ${type}`,
        `${functionTypes[type].title}. \`fn init --type ${functionTypes[type].short}\` creates an example: ${lower(functionTemplates[type].does)}.`,
        table(['field', 'takes', ''], rows(fields, shown)),
        type === 'ai-tool' ? toolsApart : '',
        `**sdk adds** ${adds[type]}.`,
        `**Returns** ${returns[type]}`,
      ]
        .filter(Boolean)
        .join('\n\n');
    }),
  );
}

const toolsApart =
  '`permissions`, `confirm`, `log`, `limits.perMinute` and `limits.maxCallsPerRun` are for the platform’s agents: `fn` checks and deploys them, but `fn invoke` and the local workspace do not apply them.';

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

export function appConfigPage(): string {
  return page(
    'fn.config.json',
    'The app: its name and what its functions may use. Addresses, slugs and tokens do not belong here; see `fn login`.',
    table(['field', 'type', ''], rowsOf(appConfigSchema as Schema, { input: true })),
    code(
      'json',
      JSON.stringify(
        {
          $schema: './.fn/schema/fn.config.schema.json',
          version: 1,
          app: 'order-desk',
          timezone: 'Europe/Berlin',
          limits: { wallMs: 10_000 },
          secrets: ['SHOP_KEY'],
          env: { SHOP_URL: 'https://shop.example' },
          fetch: { allow: ['shop.example'] },
          environments: { production: { env: { SHOP_URL: 'https://shop.example/live' } } },
        },
        null,
        2,
      ),
    ),
  );
}

export function seedPage(): string {
  return page(
    'seed.json',
    'A workspace as a file: the initial data of an app’s local workspace, written by `fn workspace export` and added by `fn workspace import`. Entries refer to agents by e-mail address, and to workgroups and channels by name. `at` is a time, or how long ago: `-2h`, `-3d`.',
    table(['field', 'type', ''], rowsOf(seedSchema(), { input: true, except: 'Seed', page: 'operations.md' })),
  );
}

export async function commandsPage(): Promise<string> {
  const commands = await allCommands();
  return page(
    'Commands',
    '`fn help <command>` shows the details of a command. Every command takes `--json`, `--no-input`, `--debug`, `--profile <name>` and `-C, --app <dir>`.',
    ...Object.entries(headings).map(([heading, title]) => {
      const rows = commands
        .filter((entry) => entry.heading === heading)
        .map(({ name, summary }) => [`\`fn ${name}\``, summary]);
      return `## ${title}\n\n${table(['command', ''], rows)}`;
    }),
  );
}

/** The meaning of each exit code. */
const exitCodes: readonly (readonly [string, string])[] = [
  ['0', 'done'],
  ['1', 'refused by the workspace (404, 422, a rule) or by this machine; the message says why'],
  ['2', 'wrong usage: flag, argument, config, missing value; source that does not build'],
  [
    '3',
    '`fn diff --exit-code` found a difference, `fn doctor` a problem, or `fn webhook verify` a signature that is wrong',
  ],
  ['4', 'not logged in, token refused, or not allowed'],
  ['5', 'the user’s function, tool or test failed'],
  ['6', 'a limit was reached: time, memory or result of a function, or size of an input'],
  ['7', 'workspace unreachable or busy, even after retries; nothing was changed, for certain; try again'],
  ['8', 'outcome unknown: the request was sent and no answer came'],
  [
    '9',
    'conflict: somebody else changed or deployed it first, the commit is older, a request with the same key is still running (409, 412), a pull would replace files here, or the saved progress belongs to another list; nothing was changed',
  ],
  ['10', 'partly done: the report says which of many; a repeat continues'],
  ['70', 'a bug in `fn`; it prints the stack and where to report it'],
  ['130', 'stopped by Ctrl-C, or you declined a prompt'],
  ['143', 'stopped by SIGTERM'],
];

export function exitCodesPage(): string {
  return page(
    'Exit codes',
    'You can rely on these in scripts. With `--json` an error is one line on standard error: `{"error": {code, message, hint, exitCode, requestId}}`. If a function failed, it also has `invocationId`, `logs`, `frames` and `causes`. Notices that would have been printed before it are in `notices`.',
    table(['code', 'meaning'], exitCodes),
  );
}
