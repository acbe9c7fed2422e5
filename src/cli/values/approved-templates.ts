import { type Door, type Input, languageOf, type Output, refusal } from '../../contract/index.ts';
import { everyPage, type FnError, nearest, WorkspaceError } from '../../std/index.ts';

export type Template = Output<'templates.list'>['items'][number];

interface Asking {
  readonly door: Door;
  readonly signal: AbortSignal;
}

export interface Wanted {
  readonly name: string;
  readonly language?: string | undefined;
  /** Number of the receiving customer. */
  readonly to?: string;
}

export async function approvedTemplates(
  { door, signal }: Asking,
  query: Input<'templates.list'> = {},
): Promise<Template[]> {
  return await everyPage((page) => door('templates.list', { ...query, ...page }, { signal }));
}

/**
 * A template in the language that a send uses: the named one, or else the customer's, or else that of the oldest version.
 * @returns `languages`: all approved languages
 * @throws WorkspaceError template_not_found, template_language_unknown
 */
export async function templateToSend(
  asking: Asking,
  { name, language, to }: Wanted,
): Promise<{ template: Template; languages: string[] }> {
  const found = await approvedTemplates(asking, { name });
  if (found.length === 0) throw await unknownName(asking, name);
  const languages = found.map((one) => one.language);
  const ofCustomer = to === undefined || found.length === 1 ? undefined : () => languageOfCustomer(asking, to);
  const wanted = language ?? (await ofCustomer?.());
  const chosen = wanted === undefined ? undefined : found.find((one) => one.language === languageOf(wanted));
  if (chosen === undefined && language !== undefined) {
    throw refusal(
      'template_language_unknown',
      `--lang: the template "${name}" has no version in the language ${language}`,
      {
        hint: `Use one of: ${languages.map((one) => `--lang ${one}`).join(', ')}`,
      },
    );
  }
  return { template: chosen ?? found.reduce(older), languages };
}

/** Ids increase with time, even within the same millisecond. */
function older(a: Template, b: Template): Template {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? a : b;
  return a.id < b.id ? a : b;
}

/** The customer's language. A caller who may read templates may not be allowed to read customers; a refusal is left to the send. */
async function languageOfCustomer({ door, signal }: Asking, phone: string): Promise<string | undefined> {
  try {
    return (await door('customers.find', { phone }, { signal })).language ?? undefined;
  } catch (error) {
    if (error instanceof WorkspaceError) return undefined;
    throw error;
  }
}

async function unknownName(asking: Asking, name: string): Promise<FnError> {
  const all = await approvedTemplates(asking);
  const meant = nearest(name, [...new Set(all.map((one) => one.name))]);
  return refusal('template_not_found', `There is no approved template "${name}"`, {
    hint: meant === undefined ? 'See: fn template list' : `Did you mean "${meant}"?`,
  });
}
