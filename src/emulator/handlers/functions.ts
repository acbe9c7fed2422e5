import type { ToolConfig } from '../../contract/function-config/index.ts';
import {
  type Caller,
  type CallOptions,
  type FunctionType,
  functionTypes,
  limits,
  type Output,
  type ParsedInput,
  refusal,
} from '../../contract/index.ts';
import { isRecord, toTimestamp, WorkspaceError } from '../../std/index.ts';
import { cronArgument, cronInput, flowNodeArgument, setupArgument, toolArgument } from '../invoke/arguments.ts';
import { insideRefusal } from '../invoke/failure.ts';
import { onceKeyOf } from '../invoke/idempotency-keys.ts';
import type { Invoked, InvokeRequest } from '../invoke/invoker.ts';
import { resultValue } from '../invoke/method.ts';
import { enqueueCall, requireMethod } from '../jobs/background-calls.ts';
import {
  type FunctionInfo,
  type FunctionSource,
  type LoadedFunction,
  meantFunction,
} from '../sources/function-source.ts';
import { confirmRule } from '../tools/confirm-rule.ts';
import { permitBuiltIn } from './built-in.ts';
import { invokeMethod } from './invoke-method.ts';
import { pageByKey } from './page-by-key.ts';
import type { HandlersOf, MachineParts } from './parts.ts';

export function functionHandlers(parts: MachineParts): HandlersOf<'functions' | 'methods'> {
  const { apps, workspace, baseUrl } = parts;
  return {
    async 'functions.list'({ app, ...page }) {
      const source = await apps.requireSource(app);
      const all = (await source.list()).filter((info) => info.type !== undefined);
      const { items, nextCursor } = pageByKey(all, ({ name }) => name, page);
      return { items: items.flatMap((info) => shown(info, source, baseUrl(), workspace.slug) ?? []), nextCursor };
    },
    async 'functions.show'({ app, name }) {
      const source = await apps.requireSource(app);
      const info = (await source.list()).find((one) => one.name === name);
      if (!info) throw notFound(app, name, await source.list());
      const live = shown(info, source, baseUrl(), workspace.slug);
      if (live) return live;
      await apps.load(app, name); // says why it cannot be used
      throw refusal('function_broken', `${app}/${name} cannot be used`);
    },
    async 'functions.invoke'(input, caller, options) {
      const { loaded, invoked } = await runFunction(parts, input, caller, options);
      const { invocationId, outcome } = invoked;
      const logs = outcome.logs.map(({ atMs, level, text }) => ({
        at: toTimestamp(atMs),
        level,
        text: parts.secrets.redact(loaded.app, text),
      }));
      const { wallMs, cpuMs } = outcome;
      const stale = loaded.isStale ? { stale: true } : {};
      if (!invoked.ok) {
        const { name, message, fullStack, hint } = invoked.reason;
        const stack = fullStack === undefined ? {} : { stack: parts.secrets.redact(loaded.app, fullStack) };
        const reason = { name, message, ...stack, ...(hint !== undefined && { hint }) };
        throw insideRefusal(invoked.code, invocationId, reason, { logs, wallMs, cpuMs, ...stale });
      }
      return {
        invocationId,
        result: resultValue(invoked.result) as Output<'functions.invoke'>['result'],
        logs,
        wallMs,
        cpuMs,
        ...(loaded.config.type === 'ai-tool' && { passedBy: passedPolicies(loaded.config) }),
        ...stale,
      };
    },
    async 'methods.call'({ path, body, method }, caller, { signal, idempotencyKey }) {
      const app = caller.app;
      if (app === undefined)
        throw refusal('operation_not_allowed', 'Only functions and views of an app may call its methods');
      const depth = (caller.depth ?? 0) + 1;
      if (depth > limits.function.callDepth) throw refusal('function_depth');
      const name = path.replace(/^\/+/, '').replace(/\.js$/, '');
      const trigger = caller.type === 'function' ? ('method' as const) : ('view' as const);
      const onceKey = onceKeyOf(caller, idempotencyKey);
      const call = { body, method, caller: { ...caller, depth }, trigger, signal, onceKey };
      const invoked = await apps
        .beside(caller.version, { app, name }, (loaded) => invokeMethod(parts, loaded, call))
        .catch(async (error: unknown) => {
          throw await withMeantMethod(parts, error, app, name);
        });
      if (invoked.ok) return resultValue(invoked.result);
      throw insideRefusal(invoked.code, invoked.invocationId, invoked.reason);
    },
    async 'methods.enqueue'({ app: named, ...input }, caller, { idempotencyKey }) {
      const app = caller.app ?? named;
      if (app === undefined) {
        throw refusal('input_invalid', 'methods.enqueue needs the app', {
          errors: [{ path: 'app', message: 'is missing' }],
        });
      }
      const path = await requireNamedMethod(parts, app, input.path);
      permitBuiltIn(app, path, caller);
      const onceKey = onceKeyOf(caller, idempotencyKey);
      return enqueueCall(workspace, parts.clock.now(), { ...input, app, path }, { trace: caller.trace, onceKey });
    },
  };
}

/**
 * The name of a method, which may be written as its path.
 * @throws WorkspaceError app_unknown, function_not_found with the one that was probably meant, function_type_mismatch, function_broken
 */
export async function requireNamedMethod(parts: MachineParts, app: string, path: string): Promise<string> {
  return requireMethod(parts, app, path).catch(async (error: unknown) => {
    throw await withMeantMethod(parts, error, app, path);
  });
}

/** The policies of a tool that are the gate's, past which a developer invokes its function. */
function passedPolicies({ permissions, confirm, limits: own = {} }: ToolConfig): string[] {
  const { by } = confirmRule(confirm);
  return [
    'permissions.callers',
    ...(permissions?.conversation ? ['permissions.conversation'] : []),
    ...(by === 'never' ? [] : ['confirm']),
    ...(['maxCallsPerRun', 'perMinute'] as const)
      .filter((name) => own[name] !== undefined)
      .map((name) => `limits.${name}`),
    'log',
  ];
}

/** Runs a function of any type once, for `functions.invoke`. @throws WorkspaceError if it cannot be run at all */
async function runFunction(
  parts: MachineParts,
  input: ParsedInput<'functions.invoke'>,
  caller: Caller,
  { signal, idempotencyKey }: CallOptions,
): Promise<{ loaded: LoadedFunction; invoked: Invoked }> {
  const { apps, invoker } = parts;
  const onceKey = onceKeyOf(caller, idempotencyKey);
  const { app, name } = input;
  permitBuiltIn(app, name, caller);
  const source = await apps.requireSource(app);
  const loaded = await loadOrSuggest(parts, source, name);
  refuseUnused(loaded, input);
  const trigger = input.trigger ?? 'cli';
  if (loaded.type === 'server-side-method') {
    const call = { ...input.request, body: input.input, caller, trigger, signal, onceKey };
    return { loaded, invoked: await invokeMethod(parts, loaded, call) };
  }
  const request: InvokeRequest = {
    trigger,
    caller,
    signal,
    onceKey,
    ...(await argumentOf(parts, loaded, input, caller)),
  };
  return { loaded, invoked: await invoker.invoke(loaded, request) };
}

type Extra = 'request' | 'conversationId' | 'variables';

const extras: Record<Extra, { words: string; types: readonly FunctionType[] }> = {
  request: { words: 'HTTP method, query or headers', types: ['server-side-method'] },
  conversationId: { words: 'conversation', types: ['custom-flow-node', 'ai-tool'] },
  variables: { words: 'variables', types: ['custom-flow-node'] },
};

/** What a function never receives is not ignored: its caller believes that it does. */
function refuseUnused({ app, name, type }: LoadedFunction, input: ParsedInput<'functions.invoke'>): void {
  for (const [field, { words, types }] of Object.entries(extras)) {
    if (input[field as Extra] === undefined || types.includes(type)) continue;
    const those = types.map((one) => functionTypes[one].title).join(' or ');
    throw refusal('function_type_mismatch', `${app}/${name} receives no ${words}: only a ${those} does`, {
      hint: 'Leave that out, or pass what it needs as its input.',
    });
  }
}

async function argumentOf(
  parts: MachineParts,
  loaded: LoadedFunction,
  input: ParsedInput<'functions.invoke'>,
  caller: Caller,
) {
  const door = parts.door(caller);
  const given = input.input;
  const types: Record<Exclude<FunctionType, 'server-side-method'>, () => ReturnType<typeof flowNodeArgument>> = {
    'custom-flow-node': () => flowNodeArgument(loaded, given, input, door),
    'ai-tool': () => toolArgument(loaded, given, input.conversationId, door),
    'cron-job': async () => {
      const now = toTimestamp(parts.clock.now());
      const { scheduledAt = now, lastRunAt } = await cronInput(loaded, given);
      const last = lastRunAt === undefined ? await parts.scheduler.lastRunOf(loaded.app, loaded.name) : lastRunAt;
      return cronArgument(loaded, toTimestamp(Date.parse(scheduledAt)), last ?? null);
    },
    'custom-app-setup': async () => {
      const state = await parts.apps.state(loaded.app);
      const { phase, settings, fromVersion, ...rest } = fieldsOf(given);
      const known = phase === 'install' || phase === 'update' || phase === 'uninstall' ? phase : undefined;
      // `{phase, settings}` or the settings themselves.
      const chosen = settings ?? (known === undefined && Object.keys(rest).length > 0 ? rest : state.settings);
      return setupArgument(loaded, {
        phase: known ?? (state.installed ? 'update' : 'install'),
        settings: fieldsOf(chosen),
        fromVersion: typeof fromVersion === 'string' ? fromVersion : state.version,
      });
    },
    'custom-view': () =>
      Promise.reject(
        refusal('function_type_mismatch', `${loaded.name} is a Custom View: it runs in a browser`, {
          hint: 'Open it from the address that "fn dev" prints.',
        }),
      ),
  };
  return types[loaded.type as keyof typeof types]();
}

function shown(
  { name, path, type, config }: FunctionInfo,
  source: FunctionSource,
  baseUrl: string,
  slug: string,
): Output<'functions.show'> | undefined {
  if (type === undefined || config === undefined) return undefined;
  const exposed = config.type === 'server-side-method' && config.expose !== false;
  const url = exposed ? `${baseUrl}/api/${slug}/custom-functions/${source.app}/${path}` : null;
  return {
    app: source.app,
    name,
    type,
    path,
    url,
    version: source.version,
    config: { ...config } as unknown as Output<'functions.show'>['config'],
  };
}

async function loadOrSuggest(parts: MachineParts, source: FunctionSource, name: string): Promise<LoadedFunction> {
  const loaded = await parts.apps.find(source.app, name);
  if (loaded) return loaded;
  throw notFound(source.app, name, await source.list());
}

/** In the message: the calling function does not see hints. */
async function withMeantMethod({ apps }: MachineParts, error: unknown, app: string, name: string): Promise<unknown> {
  if (!(error instanceof WorkspaceError) || error.code !== 'function_not_found') return error;
  const infos = (await (await apps.source(app))?.list()) ?? [];
  const meant = meantFunction(
    name,
    infos.filter(({ type }) => type === 'server-side-method'),
  );
  return meant === undefined
    ? error
    : refusal('function_not_found', `${error.message}; did you mean "${meant}"?`, { cause: error });
}

function notFound(app: string, name: string, infos: readonly FunctionInfo[]) {
  const meant = meantFunction(name, infos);
  return refusal('function_not_found', `There is no function "${name}" in ${app}`, {
    hint: meant === undefined ? undefined : `Did you mean "${meant}"?`,
  });
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? { ...value } : {};
}
