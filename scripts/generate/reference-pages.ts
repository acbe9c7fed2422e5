import { commands, groups } from '../../src/cli/commands.ts';
import { configFields, type Fields } from '../../src/contract/function-config/index.ts';
import {
  errorCodes,
  eventKinds,
  type FunctionType,
  functionTypeNames,
  functionTypes,
  limits,
  operationNames,
  operationOf,
} from '../../src/contract/index.ts';
import { fetchLimits } from '../../src/emulator/fetch/outgoing-fetch.ts';
import { appConfigSchema, functionTemplates } from '../../src/project/index.ts';
import { fetchesAtOnce } from '../../src/sandbox/limits.ts';
import { mostHeaderBytes } from '../../src/sdk/result.ts';
import { mediaTypeOf, supportedMedia } from '../../src/workspace/media-rules.ts';
import { capital, code, page, table } from './markdown.ts';
import { rowsOf } from './schema-rows.ts';
import { type Schema, seedSchema } from './schemas-of.ts';

export function errorsPage(): string {
  const users = (known: string) =>
    operationNames.filter((name) => operationOf(name).errors?.some((one) => one === known));
  return page(
    'Error codes',
    'The codes with which a workspace refuses, the same over REST (`code` of the problem), in a function (`error.code` of an `SdkError`), and in `fn --json`. Branch on the code, never on the message. A code without operations may be answered by any of them.',
    table(
      ['code', 'status', 'says', 'operations'],
      Object.entries(errorCodes).map(([known, { status, title }]) => {
        const names = users(known);
        const shown = names.slice(0, 6).map((name) => `\`${name}\``);
        return [`\`${known}\``, String(status), title, [...shown, ...(names.length > 6 ? ['…'] : [])].join(', ')];
      }),
    ),
  );
}

export function eventsPage(): string {
  return page(
    'Events',
    'What the journal of a workspace records, in the same transaction as the change that caused it. No operation reads the journal yet: these are the names that records have.',
    table(
      ['event', 'caused by'],
      eventKinds.map((kind) => [
        `\`${kind}\``,
        operationNames
          .filter((name) => operationOf(name).emits?.includes(kind))
          .map((name) => `\`${name}\``)
          .join(', '),
      ]),
    ),
  );
}

const aboutLimits: Readonly<Record<string, string>> = {
  function: 'One invocation of a function. Its `config.limits` and `limits` of `fn.config.json` may lower them.',
  request: 'One request to the workspace.',
  seed: 'A seed that is sent to the workspace; `items` of each of its lists.',
  list: 'Items of one page of a list.',
  invocations: 'What is kept of invocations.',
  store: '`sdk.store` of one app.',
  deployment: 'One deployment; `kept`: of each app, the last ones that were live.',
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
    'Everything in `fn` has a limit. These are the ones a function or a request can meet.',
    ...sections,
    `## fetch\n\nRequests that functions make.\n\n${limitRows({ ...fetchLimits, atOnce: fetchesAtOnce })}`,
    `## response\n\nHeaders and \`statusText\` of a \`Response\` that a method returns.\n\n${limitRows({ headerBytes: mostHeaderBytes })}`,
    `## media types\n\nWhat may be uploaded for the header of a template. A file must begin as its type does.\n\n${table(
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
  'custom-app-setup': 'Anything; it is recorded. After a throw, version and settings before stay in force.',
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
    'A file below `functions/` is a function: it exports `config`, which says what it is, and a default function, which receives `sdk`. Its path below `functions/`, ending in `.js`, is its path on the platform; without the ending it is its name. Files and folders that begin with `_`, and `.test.` files, are no functions.',
    table(
      ['type', 'short', 'what `sdk` adds', 'usual folder'],
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
        `${functionTypes[type].title}. \`fn init --type ${functionTypes[type].short}\` makes one: ${lower(functionTemplates[type].does)}.`,
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
  '`permissions`, `confirm`, `log`, `limits.perMinute` and `limits.maxCallsPerRun` are for the agents of the platform: they are read, checked and deployed, and not applied by `fn invoke` and the local workspace.';

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

export function appConfigPage(): string {
  return page(
    'fn.config.json',
    'The app: its name and what its functions may use. An address, a slug or a token never stands here; see `fn login`.',
    table(['field', 'type', ''], rowsOf(appConfigSchema as Schema, { input: true })),
    code(
      'json',
      JSON.stringify(
        {
          $schema: './node_modules/convo-fn/schema/fn.config.schema.json',
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
    'A workspace as a file: what the local workspace of an app begins with, what `fn workspace export` writes and `fn workspace import` adds. Parts refer to each other by what people can write: agents by e-mail, workgroups and channels by name. `at` is a time, or how long ago: `-2h`, `-3d`.',
    table(['field', 'type', ''], rowsOf(seedSchema(), { input: true, except: 'Seed', page: 'operations.md' })),
  );
}

export function commandsPage(): string {
  return page(
    'Commands',
    '`fn help <command>` says everything about one of them. Every command takes `--json`, `--no-input`, `--debug`, `--profile <name>` and `-C, --app <dir>`.',
    ...Object.entries(groups).map(([group, title]) => {
      const rows = commands
        .filter((entry) => entry.group === group)
        .map(({ name, summary }) => [`\`fn ${name}\``, summary]);
      return `## ${title}\n\n${table(['command', ''], rows)}`;
    }),
  );
}

/** The meaning of each exit code. */
const exitCodes: readonly (readonly [string, string])[] = [
  ['0', 'done'],
  ['1', 'refused: the workspace (404, 422, a rule) or this machine said no, and said why'],
  ['2', 'wrong usage: flag, argument, config, missing value; source that does not build'],
  ['3', 'findings: `fn diff --exit-code` sees a difference, `fn doctor` something wrong'],
  ['4', 'not logged in, token refused, not allowed'],
  ['5', 'the user’s function, tool or test failed'],
  ['6', 'a limit: time, memory or result of a function; an input that is too large'],
  ['7', 'workspace unreachable or busy after retries; it is certain that nothing was changed; try again'],
  ['8', 'outcome unknown: the request was sent and no answer came'],
  [
    '9',
    'conflict: somebody else changed or deployed it first, an older commit, another request with that key (409, 412); files here that a pull would replace; a list whose progress belongs to another one; nothing was changed',
  ],
  ['10', 'partial: some of many done; the report says which, a repeat continues'],
  ['70', 'a bug in `fn`: it says so, with the stack and where to report'],
  ['130', 'stopped by Ctrl-C, or a question was refused'],
  ['143', 'stopped by SIGTERM'],
];

export function exitCodesPage(): string {
  return page(
    'Exit codes',
    'Scripts may rely on them. With `--json` an error is one line on standard error: `{"error": {code, message, hint, exitCode, requestId}}`; when a function failed, `invocationId`, `logs`, `frames` and `causes` as well; what would have been said before stands in `notices`.',
    table(['code', 'meaning'], exitCodes),
  );
}
