import type { JsonSchema, SchemaCheck } from '../../contract/function-config/index.ts';
import { type Caller, type ParsedInput, refusal, scopes } from '../../contract/index.ts';
import type { FunctionResult } from '../../sdk/index.ts';
import { isRecord } from '../../std/index.ts';
import type { EmulatorDoor } from '../door.ts';
import type { LoadedFunction } from '../sources/function-source.ts';
import { checkOf } from './check-of.ts';
import type { InvokeRequest } from './invoker.ts';
import { inputRefusal, resultValue } from './method.ts';

type Made = Pick<InvokeRequest, 'argument' | 'inputJson' | 'checkResult'>;

/**
 * The argument of a flow node. Its input is checked against the schema, its result against the outcomes.
 * @throws WorkspaceError function_input_invalid, conversation_not_found
 */
export async function flowNodeArgument(
  loaded: LoadedFunction,
  given: unknown,
  { conversationId, variables = {} }: Pick<ParsedInput<'functions.invoke'>, 'conversationId' | 'variables'>,
  door: EmulatorDoor,
): Promise<Made> {
  const { config } = loaded;
  if (config.type !== 'custom-flow-node') throw mismatch(loaded, 'custom-flow-node');
  const input = given === undefined ? {} : given;
  if (config.input !== undefined) await fits(config.input, input, loaded, 'config.input');
  const { conversation, customer } = await inConversation(door, conversationId);
  return {
    argument: { flow: { node: loaded.name, input, conversation, customer, variables } },
    inputJson: () => JSON.stringify(input),
    checkResult: (result) => outcomeProblem(resultValue(result), config.outcomes),
  };
}

function outcomeProblem(value: unknown, outcomes: readonly string[]): string | undefined {
  const allowed = outcomes.map((name) => `'${name}'`).join(', ');
  if (typeof value !== 'object' || value === null || !('outcome' in value))
    return `The flow node returned no outcome. Return {outcome}, with one of: ${allowed}`;
  const { outcome, ...rest } = value;
  if (typeof outcome !== 'string' || !outcomes.includes(outcome)) {
    return `The flow node returned the outcome ${JSON.stringify(outcome)}, which is not in config.outcomes. Return one of: ${allowed}`;
  }
  const surplus = Object.keys(rest).find((key) => key !== 'output' && key !== 'variables');
  if (surplus !== undefined)
    return `The flow node returned the field "${surplus}". Return only {outcome, output?, variables?}`;
  const variables = 'variables' in rest ? rest.variables : {};
  return isRecord(variables) ? undefined : 'variables must be an object';
}

/** The argument of an AI Tool. Input and result are checked against its schemas. @throws WorkspaceError function_input_invalid */
export async function toolArgument(
  loaded: LoadedFunction,
  given: unknown,
  conversationId: string | undefined,
  door: EmulatorDoor,
): Promise<Made> {
  const { config } = loaded;
  if (config.type !== 'ai-tool') throw mismatch(loaded, 'ai-tool');
  const args = given === undefined ? {} : given;
  await fits(config.input, args, loaded, 'config.input');
  const output = config.output === undefined ? undefined : await checkOf(config.output, loaded, 'config.output');
  const { conversation } = await inConversation(door, conversationId);
  return {
    argument: { tool: { args, run: null, conversation } },
    inputJson: () => JSON.stringify(args),
    checkResult: (result) => outputProblem(result, output, config.limits?.maxResultBytes),
  };
}

function outputProblem(
  result: FunctionResult,
  check: SchemaCheck | undefined,
  mostBytes: number | undefined,
): string | undefined {
  if (result.kind === 'response') return 'An AI Tool returns JSON, not a Response';
  if (mostBytes !== undefined && Buffer.byteLength(result.json) > mostBytes)
    return `The result is larger than limits.maxResultBytes (${mostBytes})`;
  const [first] = check?.(JSON.parse(result.json)) ?? [];
  return (
    first && `The result does not match config.output: ${first.path === '' ? '' : `${first.path} `}${first.message}`
  );
}

const time: JsonSchema = { type: 'string', format: 'date-time' };
const cronTimes: JsonSchema = {
  type: 'object',
  properties: { scheduledAt: time, lastRunAt: { anyOf: [time, { type: 'null' }] } },
  additionalProperties: false,
};

/** What a caller may give a cron job. @throws WorkspaceError function_input_invalid */
export async function cronInput(
  loaded: LoadedFunction,
  given: unknown,
): Promise<{ readonly scheduledAt?: string; readonly lastRunAt?: string | null }> {
  if (given === undefined || given === null) return {};
  await fits(cronTimes, given, loaded, 'the input of a Cron Job');
  return given;
}

/** The argument of a cron job. */
export function cronArgument(loaded: LoadedFunction, scheduledAt: string, lastRunAt: string | null): Made {
  if (loaded.config.type !== 'cron-job') throw mismatch(loaded, 'cron-job');
  const cron = { scheduledAt, lastRunAt };
  return { argument: { cron }, inputJson: () => JSON.stringify(cron) };
}

export interface SetupPhase {
  readonly phase: 'install' | 'update' | 'uninstall';
  readonly settings: Readonly<Record<string, unknown>>;
  readonly fromVersion: string | null;
}

/** The argument of a Custom App Setup, with checked settings. @throws WorkspaceError settings_invalid */
export async function setupArgument(loaded: LoadedFunction, setup: SetupPhase): Promise<Made> {
  const { config } = loaded;
  if (config.type !== 'custom-app-setup') throw mismatch(loaded, 'custom-app-setup');
  if (config.settings !== undefined && setup.phase !== 'uninstall') {
    const check = await checkOf(config.settings, loaded, 'config.settings');
    const errors = check(setup.settings).map(({ path, message }) => ({
      path: path === '' ? 'settings' : `settings.${path}`,
      message,
    }));
    const [first] = errors;
    if (first)
      throw refusal('settings_invalid', `${loaded.app}: ${first.path} ${first.message}`, {
        errors,
        hint: `Provide settings that its setup accepts: fn app install ${loaded.app} --settings '{…}'`,
      });
  }
  return { argument: { setup }, inputJson: () => JSON.stringify(setup) };
}

async function fits(schema: JsonSchema, value: unknown, loaded: LoadedFunction, where: string): Promise<void> {
  const check = await checkOf(schema, loaded, where);
  const errors = check(value);
  if (errors.length > 0) throw inputRefusal(loaded, errors);
}

async function inConversation(door: EmulatorDoor, conversationId: string | undefined) {
  if (conversationId === undefined) return { conversation: null, customer: null };
  const conversation = await door('conversations.get', { id: conversationId });
  const customer = await door('customers.get', { id: conversation.customerId });
  return { conversation, customer };
}

function mismatch({ app, name, type }: LoadedFunction, wanted: string) {
  return refusal('function_type_mismatch', `${app}/${name} is of type ${type}, not ${wanted}`);
}

/** The caller of cron jobs, setups and the installation of built-in apps. */
export const systemCaller: Caller = { type: 'system', id: null, scopes };
