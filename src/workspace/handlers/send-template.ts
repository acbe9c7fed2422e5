import { languageOf, refusal } from '../../contract/index.ts';
import { nearest, type WorkspaceError } from '../../std/index.ts';
import type { Tx } from '../door/tx.ts';
import { mediaTypeOf } from '../files/media-rules.ts';
import { phoneOf } from '../identity.ts';
import {
  type MediaCheck,
  render,
  type TemplateDefinition,
  type Variables,
  variableProblems,
} from '../templates/index.ts';
import type { Json } from '../types.ts';
import { assigneeOf } from './agents.ts';
import { assignConversation, conversationUrl, reach } from './conversations.ts';
import { findCustomer } from './customers.ts';
import type { Handler } from './index.ts';
import { type MediaRow, mediaRow } from './media.ts';
import { authorOf, setMessageStatus, storeMessage } from './store-message.ts';
import { definitionOf, type TemplateRow } from './templates.ts';

/** The only kind of channel that supports templates. */
const templateChannel = 'messaging-app';

/** All or nothing: if anything is wrong, no customer, conversation or message is created. */
export const sendTemplate: Handler<'messages.sendTemplate'> = async (input, tx, caller) => {
  const phone = await phoneOf(input.to, 'to');
  const row = await chooseTemplate(tx, input.template, input.language, phone);
  const definition = definitionOf(row);
  const variables = input.variables ?? {};
  await requireVariables(tx, definition, variables);
  const assignee = input.assign === undefined ? undefined : await assigneeOf(tx, input.assign);

  const { conversation, customerId, created } = await reachByTemplate(tx, phone);
  const assigned = assignee === undefined ? conversation : await assignConversation(tx, conversation, assignee);
  const rendered = render(definition, variables);
  const message = await storeMessage(tx, assigned, {
    direction: 'out',
    author: authorOf(caller),
    text: rendered.body,
    template: { name: row.name, language: row.language, rendered: rendered as unknown as Json },
  });
  await tx.announce({ type: 'message.sent', conversationId: conversation.id, data: { message } });
  await tx.announce({
    type: 'template.sent',
    conversationId: conversation.id,
    data: { message, template: { id: row.id, name: row.name, language: row.language } },
  });
  await setMessageStatus(tx, message, 'delivered');
  return {
    conversationId: conversation.id,
    conversationUrl: conversationUrl(conversation.id, tx.facts),
    messageId: message.id,
    customerId,
    created,
  };
};

async function reachByTemplate(tx: Tx, phone: string) {
  const channel = await tx.db
    .selectFrom('channel')
    .select('id')
    .where('kind', '=', templateChannel)
    .where('connected', '=', 1)
    .orderBy('created_at')
    .orderBy('id')
    .executeTakeFirst();
  if (channel === undefined) {
    throw refusal('channel_unreachable', 'Message templates need a connected messaging-app channel', {
      hint: 'Connect one: fn channel connect messaging-app',
    });
  }
  return reach(tx, { phone, channel: channel.id });
}

/**
 * Chooses the template in the requested language, else in the customer's, else the oldest approved one.
 * @throws WorkspaceError template_not_found, template_language_unknown, template_not_approved
 */
async function chooseTemplate(tx: Tx, name: string, language: string | undefined, phone: string): Promise<TemplateRow> {
  const all = await tx.db
    .selectFrom('template')
    .selectAll()
    .where('name', '=', name)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  if (all.length === 0) throw await noSuchTemplate(tx, name);
  const row = language === undefined ? await preferred(tx, all, phone) : inLanguage(all, language);
  if (row === undefined) {
    const languages = all.map((one) => one.language);
    throw refusal(
      'template_language_unknown',
      `The template "${name}" has no version in the language ${language}. It has: ${languages.join(', ')}`,
      {
        details: { languages },
      },
    );
  }
  if (row.status !== 'approved') {
    throw refusal('template_not_approved', `${name} (${row.language}) is ${row.status}`, {
      details: { status: row.status, language: row.language },
    });
  }
  return row;
}

/** In the message, which functions see as well. */
async function noSuchTemplate(tx: Tx, name: string): Promise<WorkspaceError> {
  const rows = await tx.db.selectFrom('template').select('name').distinct().limit(mostCompared).execute();
  const meant = nearest(
    name,
    rows.map((row) => row.name),
  );
  const did = meant === undefined ? '' : `; did you mean "${meant}"?`;
  return refusal('template_not_found', `There is no template ${name}${did}`);
}

/** Comparing more names would hold up other requests. */
const mostCompared = 1_000;

async function preferred(tx: Tx, all: TemplateRow[], phone: string): Promise<TemplateRow | undefined> {
  const customer = await findCustomer(tx, { phone });
  const approved = all.filter((row) => row.status === 'approved');
  const theirs = customer?.language == null ? undefined : inLanguage(approved, customer.language);
  return theirs ?? approved[0] ?? all[0];
}

function inLanguage(all: TemplateRow[], language: string): TemplateRow | undefined {
  return all.find((row) => row.language === languageOf(language));
}

/** @throws WorkspaceError variable_missing if variables are only missing, otherwise media_not_found or variables_invalid */
async function requireVariables(tx: Tx, definition: TemplateDefinition, variables: Variables): Promise<void> {
  const media = await namedMedia(tx, variables);
  const problems = variableProblems(definition, variables, checkOf(media));
  if (problems.length === 0) return;
  const unknownMedia = problems.every(
    (problem) => problem.path.endsWith('.mediaId') && problem.message === notUploaded,
  );
  const code = problems.every((problem) => problem.missing)
    ? 'variable_missing'
    : unknownMedia
      ? 'media_not_found'
      : 'variables_invalid';
  const [first] = problems;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  throw refusal(code, `${definition.name}: ${first?.path} ${first?.message}${more}`, {
    errors: problems.map(({ path, message }) => ({ path, message })),
  });
}

const notUploaded = 'names no uploaded media';

function checkOf(media: ReadonlyMap<string, MediaRow>): MediaCheck {
  return (mediaId, format) => {
    const row = media.get(mediaId);
    if (row?.uploaded_at == null) return notUploaded;
    const found = mediaTypeOf(row.content_type)?.format;
    return found === format ? undefined : `is of type ${row.content_type}; the format of the header is ${format}`;
  };
}

async function namedMedia(tx: Tx, variables: Variables): Promise<Map<string, MediaRow>> {
  const values = [variables.header, ...(variables.carousel ?? []).map((card) => card.header)];
  const found = new Map<string, MediaRow>();
  for (const value of values) {
    if (typeof value !== 'object' || !('mediaId' in value) || value.mediaId === undefined) continue;
    const row = await mediaRow(tx, value.mediaId);
    if (row !== undefined) found.set(row.id, row);
  }
  return found;
}
