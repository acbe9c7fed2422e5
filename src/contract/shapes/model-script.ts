import { z } from 'zod';
import { isNestedDeeper } from '../../std/index.ts';
import { limits } from '../limits.ts';
import { type Checked, checkShape } from './check.ts';
import { json } from './json.ts';

const maxRules = 1_000;
const maxText = 256 * 1024;

const range = z.union([
  z.number().int().min(0),
  z.strictObject({ min: z.number().int().min(0).optional(), max: z.number().int().min(0).optional() }),
]);

const pattern = z
  .string()
  .min(1)
  .max(1_000)
  .describe('A regular expression (case does not count). Its named groups are $NAME in `args` and {{NAME}} in `say`');

const condition = z.strictObject({
  lastUser: z
    .strictObject({
      equals: z.string().max(4096).optional().describe('The whole text; case and outer spaces do not count'),
      contains: z.string().min(1).max(4096).optional().describe('A part of the text; case does not count'),
      matches: pattern.optional(),
    })
    .optional()
    .describe('The last message of the user'),
  earlierUser: z
    .strictObject({ matches: pattern })
    .optional()
    .describe('A message of the user before the last one: the newest that fits'),
  toolResults: range.optional().describe('How many tool results there are since the last message of the user'),
  lastTool: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('The tool whose result is the latest, since the last message of the user'),
  lastToolFailed: z.boolean().optional().describe('Whether the latest tool result is an error'),
  lastToolResult: z
    .record(z.string().min(1).max(200), z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .optional()
    .describe('Values of the latest tool result, each by its path: {"found": false}'),
});

const answer = {
  say: z
    .string()
    .max(maxText)
    .optional()
    .describe('Text. {{lastToolResult.PATH}}, {{lastUser}} and {{NAME}} of a named group are filled in'),
  call: z
    .array(
      z.strictObject({
        tool: z.string().min(1).max(64),
        args: z
          .record(z.string(), json)
          .optional()
          .describe('A text "$NAME" stands for a named group of `matches`, "$NAME:number" for the number that it is'),
      }),
    )
    .max(100)
    .optional()
    .describe('Tools to call, all at once'),
  fail: z
    .strictObject({ status: z.number().int().min(400).max(599), message: z.string().max(1_000).optional() })
    .optional()
    .describe('Fail as a provider does, with this HTTP status'),
  delayMs: z.number().int().min(0).max(600_000).optional().describe('Wait before answering'),
  wordDelayMs: z.number().int().min(0).max(10_000).optional().describe('Wait after each word, as a model that writes'),
};

/** What a scripted model answers: `agents/NAME.model.json`. */
export const modelScript = z.strictObject({
  $schema: z.string().optional(),
  rules: z
    .array(z.strictObject({ when: condition, ...answer }))
    .max(maxRules)
    .describe('The first rule that fits answers'),
  default: z.strictObject(answer).optional().describe('Answers when no rule fits'),
  usage: z
    .union([z.literal('estimate'), z.strictObject({ charactersPerToken: z.number().min(0.1).max(100) })])
    .optional()
    .describe('How tokens are counted; by default four characters are one token'),
});

/** A script of a model as it is written: `agents/NAME.model.json`. */
export type ModelScript = z.input<typeof modelScript>;

/** Checks a script's shape. What its regular expressions and rules say is checked where they are used. */
export function checkModelScriptShape(given: unknown): Checked<ModelScript> {
  const maxDepth = limits.request.jsonDepth;
  // The schema check is recursive: deeper nesting would exhaust the stack.
  if (!isNestedDeeper(given, maxDepth)) return checkShape(modelScript, given);
  return { fits: false, problems: [{ path: '', message: `is nested more than ${maxDepth} levels deep` }] };
}
