import { z } from 'zod';
import { isNestedDeeper } from '../../std/index.ts';
import { seedHarness } from '../areas/harnesses.shapes.ts';
import { seedMcpClient } from '../areas/mcp-clients.shapes.ts';
import { templateDefinition } from '../areas/templates.shapes.ts';
import { functionPath, patterns } from '../areas/webhooks.shapes.ts';
import { channelKinds } from '../channel-kinds.ts';
import { limits } from '../limits.ts';
import { type Checked, checkShape } from './check.ts';
import { assignee, email, fields, mostDays, phone, secretName, text, timestamp } from './common.ts';
import { json } from './json.ts';

const most = limits.seed.items;
/** Limited so that the resulting date stays within the range of a timestamp. */
const ago = /^-(?:\d{1,9}s|\d{1,8}m|\d{1,6}h|\d{1,5}d)$/;

const moment = timestamp.or(z.string().regex(ago, 'a time, or how long ago: -2h'));

/**
 * A workspace as a file: an app's `seed.json`, and the output of `fn workspace export`. Parts refer to each other by
 * keys that people can write: e-mail for agents, names for workgroups and channels, phone or e-mail for customers.
 */
export const seed = z.strictObject({
  $schema: z.string().optional(),
  version: z.literal(1).optional(),
  workspace: z.strictObject({ name: text(200).optional() }).optional(),
  channels: z
    .array(z.strictObject({ kind: z.enum(channelKinds), name: text(100), connected: z.boolean().optional() }))
    .max(most)
    .optional(),
  workgroups: z
    .array(z.strictObject({ name: text(100) }))
    .max(most)
    .optional(),
  agents: z
    .array(z.strictObject({ name: text(200), email, workgroups: z.array(text(100)).max(most).optional() }))
    .max(most)
    .optional(),
  templates: z
    .array(z.strictObject({ ...templateDefinition, status: templateDefinition.status.optional() }))
    .max(most)
    .optional(),
  customers: z
    .array(
      z
        .strictObject({
          name: text(200).optional(),
          phone: phone.optional(),
          email: email.optional(),
          language: text(35).optional(),
          fields: fields.optional(),
          conversations: z
            .array(
              z.strictObject({
                channel: text(100).describe('Name or kind of a channel'),
                status: z.enum(['open', 'closed']).optional(),
                assign: assignee.or(z.strictObject({ workgroup: text(100) })).optional(),
                messages: z
                  .array(
                    z.strictObject({
                      from: z.enum(['customer', 'agent', 'system']),
                      text: text(4096),
                      at: moment.optional(),
                    }),
                  )
                  .max(most)
                  .optional(),
                notes: z
                  .array(
                    z.strictObject({
                      text: text(4096),
                      agentEmail: email.optional().describe('Who wrote it; left out: nobody of the team'),
                      at: moment.optional(),
                    }),
                  )
                  .max(most)
                  .optional()
                  .describe('What only the team sees'),
              }),
            )
            .max(most)
            .optional(),
        })
        // The workspace reports this when it applies the seed; the JSON Schema lets an editor report it earlier.
        .meta({ if: { required: ['phone'] }, else: { required: ['email'] } }),
    )
    .max(most)
    .optional(),
  harnesses: z
    .array(seedHarness)
    .max(limits.agents.maxHarnesses)
    .optional()
    .describe('AI harnesses, with secrets by name'),
  mcpClients: z
    .array(seedMcpClient)
    .max(limits.mcp.maxClients)
    .optional()
    .describe('MCP servers of others, with secrets by name'),
  packs: z
    .array(
      z.strictObject({
        days: z.number().positive().max(mostDays).multipleOf(0.25),
        name: text(100).optional(),
        used: z.number().min(0).multipleOf(0.25).optional(),
      }),
    )
    .max(most)
    .optional(),
  webhooks: z
    .array(
      z
        .strictObject({
          url: z.string().min(1).max(2_100).optional(),
          function: functionPath.optional(),
          events: patterns,
          description: text(500).optional(),
          state: z.enum(['enabled', 'disabled']).optional(),
          secretFrom: secretName
            .optional()
            .describe(
              'Name of the signing secret: `FN_SECRET_NAME`, or in `.fn/secrets.json`. Without a value the endpoint waits for one',
            ),
        })
        .meta({ if: { required: ['url'] }, else: { required: ['function'] } }),
    )
    .max(limits.webhooks.maxEndpoints)
    .optional()
    .describe('Endpoints: either an address or a function'),
  vars: z.record(z.string(), z.record(z.string(), json)).optional().describe('Variables by app'),
});

/** A workspace as a file: `seed.json`. */
export type Seed = z.input<typeof seed>;

/** Checks a seed against its shape. */
export function checkSeed(given: unknown): Checked<z.output<typeof seed>> {
  const most = limits.request.jsonDepth;
  // The schema check is recursive: deeper nesting would exhaust the stack.
  if (!isNestedDeeper(given, most)) return checkShape(seed, given);
  return { fits: false, problems: [{ path: '', message: `is nested more than ${most} levels deep` }] };
}
