import { useEffect, useMemo } from 'preact/hooks';
import type { Message } from '../model/chat.ts';
import { isRecord } from '../model/problem.ts';
import { call, onChange, store, useQuery, useShown } from './app.ts';
import { ConversationDetails } from './conversation-details.tsx';
import { Desk } from './desk.tsx';
import { Bones, ProblemNotice } from './parts.tsx';
import { Phone } from './phone.tsx';
import { at } from './router.ts';

const pageSize = 200;
function useMessages(conversationId: string) {
  const list = store.pages<Message>(
    `message pages ${conversationId}`,
    (cursor) =>
      call('messages.list', {
        conversationId: conversationId as never,
        order: 'desc',
        limit: pageSize,
        ...(cursor !== undefined && { cursor }),
      }),
    ({ type, data }) => /^(?:message|template)\./.test(type) && data['conversationId'] === conversationId,
  );
  useShown(list);
  // Events hold the message of which they tell: it is shown before the list is read again.
  useEffect(
    () =>
      onChange(({ type, data }) => {
        const message = isRecord(data['data']) ? data['data']['message'] : undefined;
        if (data['conversationId'] !== conversationId || !isRecord(message) || message['truncated'] === true) return;
        if (type === 'message.status') list.take(message as unknown as Message);
        else if (type === 'message.received' || type === 'message.sent') list.takeNew(message as unknown as Message);
      }),
    [list, conversationId],
  );
  const pages = list.data.value;
  const messages = useMemo(() => pages?.items.toReversed(), [pages]);
  return { pages, messages, problem: list.problem.value, more: list.more };
}

/** One conversation: the customer's phone, the desk, and what is known of it. */
export function Conversation({ id }: { readonly id: string }) {
  const conversationId = id as never;
  const isOwn = ({ data }: { data: Readonly<Record<string, unknown>> }) => data['conversationId'] === id;
  const conversation = useQuery('conversations.get', { id: conversationId }, isOwn);
  const { pages, messages, problem, more } = useMessages(id);
  const found = conversation?.data.value;
  const customer = useQuery(
    'customers.get',
    found && { id: found.customerId },
    ({ type, data }) => type.startsWith('customer.') && JSON.stringify(data).includes(found?.customerId ?? ''),
  )?.data.value;
  const failed = conversation?.problem.value ?? problem;
  if (failed && (failed.status === 404 || !found || !pages)) {
    return (
      <section class="pane inbox-rest" aria-label="Conversation" data-part="desk">
        <div class="section">
          <ProblemNotice problem={failed}>
            <a class="btn" href={at({ page: 'inbox' })}>
              Inbox
            </a>
          </ProblemNotice>
        </div>
      </section>
    );
  }
  if (!found || !customer || !pages || !messages) {
    return (
      <section class="pane inbox-rest" aria-label="Conversation" data-part="desk">
        <Bones />
      </section>
    );
  }
  const rest = { conversation: found, customer, messages, hasMore: pages.nextCursor !== null, more };
  return (
    <>
      <Phone {...rest} />
      <Desk {...rest} />
      <ConversationDetails conversation={found} customer={customer} />
    </>
  );
}
