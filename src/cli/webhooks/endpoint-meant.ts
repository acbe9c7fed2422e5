import { type Door, type Output, refusal } from '../../contract/index.ts';
import { everyPage, nearest } from '../../std/index.ts';

type Endpoint = Output<'webhooks.show'>;

/**
 * The endpoint that a command names: by its id, its address, or its function.
 * @throws WorkspaceError webhook_not_found, with the one that was probably meant
 */
export async function endpointMeant(door: Door, asked: string, signal: AbortSignal): Promise<Endpoint> {
  if (/^whk_/.test(asked)) return await door('webhooks.show', { id: asked }, { signal });
  const all = await everyPage((page) => door('webhooks.list', page, { signal }));
  const href = URL.parse(asked)?.href;
  const found = all.find((one) => one.function === asked || (one.url !== null && [asked, href].includes(one.url)));
  if (found !== undefined) return found;
  const meant = nearest(
    asked,
    all.map((one) => one.url ?? one.function ?? ''),
  );
  throw refusal('webhook_not_found', `There is no webhook endpoint "${asked.slice(0, 200)}"`, {
    hint: meant ? `Did you mean ${meant}?` : 'See: fn webhook list',
  });
}

/** Where an endpoint's events go. */
export const targetOf = ({ url, function: name }: Pick<Endpoint, 'url' | 'function'>): string => url ?? name ?? '';
