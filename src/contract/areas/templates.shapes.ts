import { z } from 'zod';
import { assignee, id, listOf, page, phone, text, timestamp } from '../shapes/common.ts';
import { createUploadInput, UploadCredentials } from './media.shapes.ts';

const mediaFormat = z.enum(['image', 'video', 'document']);

/** A button of a message template. A URL button may end in one variable: `https://shop.example/o/{{1}}`. */
export const TemplateButton = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('quick_reply'), text: text(25) }),
  z.strictObject({ type: z.literal('url'), text: text(25), url: text(2000) }),
  z.strictObject({ type: z.literal('phone'), text: text(25), phone: text(40) }),
  z.strictObject({ type: z.literal('copy_code'), text: text(25) }),
]);

export const TemplateHeader = z.discriminatedUnion('format', [
  z.strictObject({ format: z.literal('text'), text: text(60).describe('At most one variable') }),
  z.strictObject({ format: mediaFormat }),
  z.strictObject({ format: z.literal('location') }),
]);

export const TemplateCard = z.strictObject({
  header: z.strictObject({ format: z.enum(['image', 'video']) }),
  body: text(160).optional(),
  buttons: z.array(TemplateButton).max(2).optional(),
});

export const templateDefinition = {
  name: z.string().regex(/^[a-z0-9_]{1,512}$/, 'a template is named in lower case letters, digits and underscores'),
  language: z.string().regex(/^[a-z]{2,3}([_-][A-Za-z]{2,4})?$/, 'a language such as de or en_US'),
  category: z.enum(['marketing', 'utility', 'authentication']),
  status: z.enum(['approved', 'pending', 'rejected', 'paused']),
  header: TemplateHeader.optional(),
  body: text(1024).describe('Variables are positional ({{1}}) or named ({{name}}), never both'),
  footer: text(60).optional(),
  buttons: z.array(TemplateButton).max(10).optional(),
  carousel: z.array(TemplateCard).min(2).max(10).optional(),
};

export const Template = z.object({
  id: id('tpl'),
  ...templateDefinition,
  variables: z.object({
    style: z.enum(['none', 'positional', 'named']),
    body: z.array(z.string()).describe('Names, or "1", "2", …'),
    header: z.array(z.string()),
    buttons: z.array(z.object({ index: z.number().int(), type: z.string() })).describe('Buttons that take a value'),
    cards: z.number().int().describe('Number of cards in the carousel; 0 if there is none'),
  }),
  createdAt: timestamp,
  updatedAt: timestamp,
});

const value = z
  .string()
  .max(2000)
  .overwrite((given) => given.toWellFormed());

/** Media of a header: an uploaded file or an https link. */
const mediaVariable = z.strictObject({
  mediaId: id('med').optional(),
  url: z.string().max(2048).optional(),
  fileName: text(255).optional(),
});

const locationVariable = z.strictObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  name: text(200).optional(),
  address: text(500).optional(),
});

/** The library does not reject a union branch for unknown keys alone: half a location would be reported as media with unknown keys. */
const isNoLocation: z.core.CheckFn<unknown> = ({ issues }) => {
  for (const [i, issue] of issues.entries()) {
    if (issue.code !== 'unrecognized_keys') continue;
    if (issue.keys.includes('latitude') || issue.keys.includes('longitude')) issues[i] = { ...issue, continue: false };
  }
};

const buttonVariable = z.strictObject({ index: z.int().min(0).max(9), value });

/** The variables of a template. Whether they fit is a rule of the workspace, which reports a problem for each variable. */
export const templateVariables = z.strictObject({
  header: z
    .union([value, mediaVariable.check(isNoLocation), locationVariable])
    .optional()
    .describe('The text variable, the media, or the location of the header'),
  body: z
    .union([z.array(value).max(100), z.record(z.string().max(100), value)])
    .optional()
    .describe('Values in order, or by name'),
  buttons: z.array(buttonVariable).max(10).optional(),
  carousel: z
    .array(
      z.strictObject({
        header: mediaVariable.optional(),
        body: z.union([z.array(value).max(100), z.record(z.string().max(100), value)]).optional(),
        buttons: z.array(buttonVariable).max(2).optional(),
      }),
    )
    .max(10)
    .optional(),
});

/** What `templates.send` and the operation behind it take. */
export const sendTemplateInput = z.strictObject({
  to: phone,
  template: text(512).describe('Name of the message template'),
  language: text(35)
    .optional()
    .describe('Default: the customer’s language, otherwise that of the oldest approved template'),
  variables: templateVariables.optional(),
  assign: assignee.optional(),
});

export const SentTemplate = z.object({
  conversationId: id('cnv'),
  conversationUrl: z.string().describe('Direct link'),
  messageId: id('msg'),
  customerId: id('cus'),
  created: z.object({ customer: z.boolean(), conversation: z.boolean() }),
});

const listTemplates = z.strictObject({ ...page, language: text(35).optional(), name: text(512).optional() });

export const templateShapes = {
  'templates.send': { input: sendTemplateInput, output: SentTemplate },
  'templates.list': { input: listTemplates, output: listOf(Template) },
  'templates.uploadCredentials': { input: createUploadInput, output: UploadCredentials },
  'messageTemplates.list': { input: listTemplates, output: listOf(Template) },
} as const;
