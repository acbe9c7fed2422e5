import { useEffect } from 'preact/hooks';
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
  // The state of a message that is older than the first page.
  useEffect(
    () =>
      onChange(({ type, data }) => {
        const message = isRecord(data['data']) ? data['data']['message'] : undefined;
        if (type !== 'message.status' || !isRecord(message) || message['truncated'] === true) return;
        list.replace((one) => (one.id === message['id'] ? (message as unknown as Message) : one));
      }),
    [list],
  );
  return { pages: list.data.value, problem: list.problem.value, more: list.more };
}

/** One conversation: the customer's phone, the desk, and what is known of it. */
export function Conversation({ id }: { readonly id: string }) {
  const conversationId = id as never;
  const isOwn = ({ data }: { data: Readonly<Record<string, unknown>> }) => data['conversationId'] === id;
  const conversation = useQuery('conversations.get', { id: conversationId }, isOwn);
  const { pages, problem, more } = useMessages(id);
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
  if (!found || !customer || !pages) {
    return (
      <section class="pane inbox-rest" aria-label="Conversation" data-part="desk">
        <Bones />
      </section>
    );
  }
  const messages = [...pages.items].reverse();
  const rest = { conversation: found, customer, messages, hasMore: pages.nextCursor !== null, more };
  return (
    <>
      <Phone {...rest} />
      <Desk {...rest} />
      <ConversationDetails conversation={found} customer={customer} />
    </>
  );
}
