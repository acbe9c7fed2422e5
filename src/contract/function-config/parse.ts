import { isRecord, nearest, ProjectError } from '../../std/index.ts';
import { type FunctionType, functionTypeNames, functionTypeOf } from '../function-types.ts';
import { firstProblem, type Problem, shown } from './check.ts';
import { configFields } from './fields.ts';
import type { Expose, FunctionConfig } from './types.ts';

/** The function that the config belongs to, for messages. */
export interface ConfigOf {
  readonly app: string;
  readonly name: string;
  /** The path as messages name it: `functions/greet.js`. */
  readonly file?: string | undefined;
  /** The zone of cron jobs that do not name one. */
  readonly timezone?: string | undefined;
}

/**
 * Checks the `config` that a function exports and fills in the defaults. Parsing a parsed config again changes nothing.
 * @throws ProjectError config_missing, config_type_unknown, config_unknown_field, config_contradictory, config_invalid
 */
export function parseFunctionConfig(raw: unknown, of: ConfigOf): FunctionConfig {
  const fail = failer(of);
  if (raw === undefined || raw === null) {
    throw fail('config_missing', 'exports no config', `Add: export const config = { type: '${likely(of.name)}' };`);
  }
  if (!isRecord(raw)) throw fail('config_invalid', `config must be an object, not ${shown(raw)}`);
  const type = typeOf(raw['type'], fail, of);
  const problem = firstProblem(configFields[type], raw, '');
  if (problem) throw refused(problem, type, fail);
  const contradiction = contradictionOf(raw, type);
  if (contradiction) throw fail('config_contradictory', contradiction.message, contradiction.hint);
  return withDefaults(raw, type, of);
}

type Fail = (code: string, message: string, hint?: string) => ProjectError;

function failer(of: ConfigOf): Fail {
  const file = of.file ?? `${of.app}/${of.name}`;
  return (code, message, hint) =>
    new ProjectError(code, `${file}: ${message}`, {
      hint: hint ?? 'Correct config and save.',
      ...(of.file !== undefined && { location: { file: of.file } }),
    });
}

function typeOf(given: unknown, fail: Fail, of: ConfigOf): FunctionType {
  const known = functionTypeNames.find((type) => type === given);
  if (known) return known;
  if (given === undefined)
    throw fail('config_invalid', 'config.type is missing', `Say which it is: type: '${likely(of.name)}'.`);
  const meant = typeof given === 'string' ? (functionTypeOf(given) ?? nearest(given, functionTypeNames)) : undefined;
  throw fail(
    'config_type_unknown',
    `config.type is ${shown(given)}, but there is no such type of function`,
    meant ? `Did you mean '${meant}'?` : `Use one of: ${functionTypeNames.join(', ')}.`,
  );
}

function refused(problem: Problem, type: FunctionType, fail: Fail): ProjectError {
  const where = problem.path === '' ? 'config' : `config.${problem.path}`;
  if (problem.unknown) {
    const name = problem.path.slice(problem.path.lastIndexOf('.') + 1);
    const meant = nearest(name, problem.unknown);
    return fail(
      'config_unknown_field',
      `${where} is not a field of ${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`,
      meant ? `Did you mean "${meant}"?` : `Remove it. Fields of this type: ${problem.unknown.join(', ')}.`,
    );
  }
  return fail('config_invalid', `${where} ${problem.message}`, problem.hint);
}

/** Finds fields that are valid individually but contradict each other. */
function contradictionOf(
  raw: Record<string, unknown>,
  type: FunctionType,
): { message: string; hint: string } | undefined {
  if (type === 'ai-tool') {
    const annotations = isRecord(raw['annotations']) ? raw['annotations'] : {};
    if (annotations['readOnly'] === true && annotations['destructive'] === true) {
      return {
        message: 'config.annotations says both readOnly and destructive',
        hint: 'A tool that changes nothing destroys nothing: keep one.',
      };
    }
    const limits = isRecord(raw['limits']) ? raw['limits'] : {};
    const { timeoutMs, wallMs } = limits as { timeoutMs?: unknown; wallMs?: unknown };
    if (timeoutMs !== undefined && wallMs !== undefined && timeoutMs !== wallMs) {
      return {
        message: 'config.limits says timeoutMs and wallMs, and they differ',
        hint: 'They mean the same: keep one.',
      };
    }
  }
  if (type === 'server-side-method' && isRecord(raw['expose'])) {
    const { methods, input } = raw['expose'] as { methods?: readonly string[]; input?: unknown };
    const bodiless = methods?.every((method) => method === 'OPTIONS' || method === 'HEAD') ?? false;
    if (bodiless && input !== undefined) {
      return {
        message: `config.expose takes only ${methods?.join(', ')}, and has an input schema`,
        hint: 'Such a request has no input: remove one of the two.',
      };
    }
  }
  return undefined;
}

function withDefaults(raw: Record<string, unknown>, type: FunctionType, of: ConfigOf): FunctionConfig {
  // The checks above have validated every field; the compiler cannot follow them through the table.
  const config = { ...raw } as unknown as FunctionConfig;
  switch (type) {
    case 'server-side-method': {
      const given = raw['expose'] as false | Partial<Expose> | undefined;
      const expose = given ? { ...given, methods: given.methods ?? ['POST'], auth: given.auth ?? 'token' } : false;
      return { ...config, expose } as FunctionConfig;
    }
    case 'ai-tool': {
      const destructive = isRecord(raw['annotations']) && raw['annotations']['destructive'] === true;
      const limits = isRecord(raw['limits']) ? raw['limits'] : undefined;
      const wallMs = limits?.['wallMs'] ?? limits?.['timeoutMs'];
      return {
        ...config,
        confirm: raw['confirm'] ?? (destructive ? 'human' : 'never'),
        ...(wallMs !== undefined && { limits: { ...limits, wallMs } }),
      } as FunctionConfig;
    }
    case 'cron-job':
      return {
        ...config,
        timezone: raw['timezone'] ?? of.timezone ?? 'UTC',
        overlap: raw['overlap'] ?? 'skip',
      } as FunctionConfig;
    default:
      return config;
  }
}

/** The type that the file's folder suggests, for the hint. */
function likely(name: string): FunctionType {
  const [folder] = name.split('/');
  const byFolder: Record<string, FunctionType> = {
    'flow-nodes': 'custom-flow-node',
    views: 'custom-view',
    tools: 'ai-tool',
    cron: 'cron-job',
    setup: 'custom-app-setup',
  };
  return byFolder[folder ?? ''] ?? 'server-side-method';
}
