import { useRef, useState } from 'preact/hooks';
import type { Output } from '../../contract/index.ts';
import { summaryOf } from '../model/chat.ts';
import { formatCount, formatMinute, formatWhole, nameOf, shorten } from '../model/format.ts';
import { about, call, today, useQuery } from './app.ts';
import { Conversation } from './conversation.tsx';
import { moveInList, useKeys } from './keys.ts';
import { PageTitle } from './page-title.tsx';
import { Avatar, Bones, Empty, Icon, ProblemNotice, Square, useAction } from './parts.tsx';
import { ask, at, go, place, query } from './router.ts';
import { useModal } from './use-modal.ts';
import { useQuestions } from './use-questions.ts';

type Listed = Output<'conversations.list'>['items'][number];

const channelIcons: Readonly<Record<string, string>> = {
  'messaging-app': 'messaging',
  'photo-network': 'image',
  'web-chat': 'web-chat',
  sms: 'messaging',
  email: 'mail',
};
const concerns = about(/^(?:conversation|message|template)\./);

/** Who writes to whom: the list, the customer's phone, the desk, and what is known. */
export function InboxPage() {
  const shown = place.value;
  const id = shown?.page === 'inbox' ? shown.conversationId : undefined;
  const pane = query.value.get('pane');
  const [isWriting, setWriting] = useState(false);
  return (
    <>
      <PageTitle title="Inbox" />
      <div
        class="split inbox"
        data-pane={id === undefined ? 'list' : pane === 'phone' || pane === 'details' ? pane : 'desk'}
      >
        <List chosen={id} onWrite={() => setWriting(true)} />
        {isWriting && <NewMessage onClose={() => setWriting(false)} />}
        {id === undefined ? (
          <section class="pane inbox-rest" aria-label="Conversation" data-part="desk">
            <Empty icon="inbox" title="Choose a conversation">
              <p>The customer’s phone and the desk stand here side by side.</p>
              <button type="button" class="btn" onClick={() => setWriting(true)}>
                Write as a customer
              </button>
            </Empty>
          </section>
        ) : (
          <Conversation key={id} id={id} />
        )}
      </div>
    </>
  );
}

function List({ chosen, onWrite }: { readonly chosen: string | undefined; readonly onWrite: () => void }) {
  const status = query.value.get('status');
  const channelId = query.value.get('channel') ?? '';
  const typed = (query.value.get('q') ?? '').toLowerCase();
  const [pages, setPages] = useState(1);
  const filter = {
    limit: Math.min(200, 50 * pages),
    ...(query.value.get('all') === '1' && { inbox: 'all' as const }),
    ...((status === 'open' || status === 'closed') && { status: status as 'open' }),
    ...(channelId !== '' && { channelId: channelId as never }),
  };
  const list = useQuery('conversations.list', filter, concerns);
  const channels = useQuery('channels.list', { limit: 200 }, about(/^channel\./))?.data.value?.items ?? [];
  const customers = useQuery('customers.list', { limit: 200 }, about(/^customer\./))?.data.value?.items ?? [];
  const asking = new Set(useQuestions().map(({ conversationId }) => conversationId));
  const names = new Map(
    customers.map((customer) => [customer.id, `${nameOf(customer)} ${customer.phone ?? ''} ${customer.email ?? ''}`]),
  );
  const scroll = useRef<HTMLUListElement>(null);
  useKeys({
    j: () => moveInList(scroll.current, 1),
    k: () => moveInList(scroll.current, -1),
    ArrowDown: () => moveInList(scroll.current, 1),
    ArrowUp: () => moveInList(scroll.current, -1),
    c: onWrite,
  });
  const page = list?.data.value;
  const problem = list?.problem.value;
  const items = page?.items.filter(
    ({ customerId }) => typed === '' || (names.get(customerId) ?? '').toLowerCase().includes(typed),
  );
  const search = Object.fromEntries([...query.value].filter(([name]) => name !== 'pane'));
  const hasFilter = Object.keys(search).length > 0;
  return (
    <section class="pane" aria-label="Conversations" data-part="list">
      <header class="pane-head">
        <h2>Inbox</h2>
        {page && (
          <span class="count">
            {formatCount(page.items.length)}
            {page.nextCursor === null ? '' : '+'}
          </span>
        )}
        <span class="grow" />
        <Square icon="plus" label="Write as a customer (c)" onClick={onWrite} />
      </header>
      <div class="bar">
        <div class="search">
          <Icon name="search" />
          <input
            class="input"
            type="search"
            placeholder="Name, number"
            aria-label="Filter conversations"
            value={query.value.get('q') ?? ''}
            onInput={(event) => ask({ q: event.currentTarget.value })}
          />
        </div>
      </div>
      <div class="bar filters">
        <select
          class="select"
          data-size="s"
          aria-label="Filter by state"
          value={status ?? ''}
          onChange={(event) => ask({ status: event.currentTarget.value })}
        >
          <option value="">Any state</option>
          <option value="open">Open</option>
          <option value="closed">Closed</option>
        </select>
        <select
          class="select"
          data-size="s"
          aria-label="Filter by channel"
          value={channelId}
          onChange={(event) => ask({ channel: event.currentTarget.value })}
        >
          <option value="">Any channel</option>
          {channels.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <label class="choice small" title="Also conversations in which the customer has not written yet">
          <input
            type="checkbox"
            checked={query.value.get('all') === '1'}
            onChange={(event) => ask({ all: event.currentTarget.checked ? '1' : undefined })}
          />
          all
        </label>
      </div>
      {problem && <ProblemNotice problem={problem} />}
      {!items ? (
        <Bones />
      ) : items.length > 0 ? (
        <ul class="pane-body scroll" ref={scroll}>
          {items.map((item) => (
            <Row
              key={item.id}
              item={item}
              isChosen={item.id === chosen}
              kind={channels.find(({ id }) => id === item.channelId)?.kind ?? ''}
              channel={channels.find(({ id }) => id === item.channelId)?.name ?? ''}
              isAsking={asking.has(item.id)}
              href={at({ page: 'inbox', conversationId: item.id }, search)}
            />
          ))}
          {page?.nextCursor !== null && pages < 4 && (
            <li class="section">
              <button type="button" class="btn" data-size="s" onClick={() => setPages(pages + 1)}>
                Older conversations
              </button>
            </li>
          )}
        </ul>
      ) : hasFilter ? (
        <Empty icon="search" title="No conversation fits">
          <button
            type="button"
            class="btn"
            onClick={() => ask({ q: undefined, status: undefined, channel: undefined, all: undefined })}
          >
            Clear the filter
          </button>
        </Empty>
      ) : (
        <Empty icon="inbox" title="Nobody has written yet">
          <button type="button" class="btn" onClick={onWrite}>
            Write as a customer
          </button>
        </Empty>
      )}
    </section>
  );
}

interface RowProps {
  readonly item: Listed;
  readonly isChosen: boolean;
  readonly kind: string;
  readonly channel: string;
  /** A call of a tool waits for a person. */
  readonly isAsking: boolean;
  readonly href: string;
}

function Row({ item, isChosen, kind, channel, isAsking, href }: RowProps) {
  const { id, customerId, status, assignee, lastMessageAt, ai } = item;
  const customer = useQuery(
    'customers.get',
    { id: customerId },
    ({ type, data }) => type.startsWith('customer.') && JSON.stringify(data).includes(customerId),
  )?.data.value;
  const messages = useQuery(
    'messages.list',
    { conversationId: id, order: 'desc', limit: 1 },
    ({ type, data }) => /^(?:message|template)\./.test(type) && data['conversationId'] === id,
  )?.data.value;
  const assigned = useAssignee(assignee);
  const name = customer ? nameOf(customer) : '';
  return (
    <li>
      <a class="row conv" id={id} href={href} aria-current={isChosen ? 'true' : undefined}>
        <span class="status" title={channel}>
          <Icon name={channelIcons[kind] ?? 'messaging'} />
          <span class="sr">{channel}</span>
        </span>
        <span class="row-name" dir="auto">
          {name}
        </span>
        {lastMessageAt && (
          <time class="time" dateTime={lastMessageAt} title={formatWhole(lastMessageAt)}>
            {formatMinute(lastMessageAt, today.value)}
          </time>
        )}
        <span class="row-2">
          <span class="cut grow snippet" dir="auto">
            {shorten(summaryOf(messages?.items[0]), 140)}
          </span>
        </span>
        <span class="row-2">
          <Avatar name={assigned ?? ''} />
          <span class="cut">{assigned ?? 'Nobody'}</span>
          <span class="grow" />
          {ai.state === 'paused' && status === 'open' && <span class="badge">AI paused</span>}
          {isAsking && (
            <span class="status small" data-s="waiting">
              <Icon name="s-waiting" />
              Asks you
            </span>
          )}
          {status === 'closed' && <span class="badge">closed</span>}
        </span>
      </a>
    </li>
  );
}

/** Name of who is responsible; undefined for nobody. */
function useAssignee({ agentId, workgroupId }: Listed['assignee']): string | undefined {
  const agents = useQuery('agents.list', { limit: 200 }, about(/^never$/))?.data.value?.items ?? [];
  const groups = useQuery('workgroups.list', { limit: 200 }, about(/^never$/))?.data.value?.items ?? [];
  if (agentId !== null) return agents.find(({ id }) => id === agentId)?.name ?? agentId;
  return workgroupId === null ? undefined : (groups.find(({ id }) => id === workgroupId)?.name ?? workgroupId);
}

/** A message from somebody who has not written before, or anywhere. */
function NewMessage({ onClose }: { readonly onClose: () => void }) {
  const dialog = useModal();
  const channels = useQuery('channels.list', { limit: 200 }, about(/^channel\./))?.data.value?.items ?? [];
  const send = useAction(async (form: HTMLFormElement) => {
    const data = new FormData(form);
    const [who, name, channel, text] = ['who', 'name', 'channel', 'text'].map((key) =>
      String(data.get(key) ?? '').trim(),
    );
    const message = await call('messages.receive', {
      ...(who?.includes('@') ? { email: who } : { phone: who ?? '' }),
      ...(name && { name }),
      ...(channel && { channel }),
      text: text ?? '',
    });
    onClose();
    go(at({ page: 'inbox', conversationId: message.conversationId }));
  });
  return (
    <dialog class="palette new-message" ref={dialog} aria-labelledby="new-message" onClose={onClose}>
      <form
        class="section stack"
        onSubmit={(event) => {
          event.preventDefault();
          send.act(event.currentTarget);
        }}
      >
        <h2 id="new-message">Write as a customer</h2>
        <div class="field">
          <label for="new-who">Phone number or e-mail address</label>
          <input class="input" id="new-who" name="who" required autofocus placeholder="+49 30 90182001" />
        </div>
        <div class="field">
          <label for="new-name">
            Name <span class="t-3">optional</span>
          </label>
          <input class="input" id="new-name" name="name" dir="auto" />
        </div>
        <div class="field">
          <label for="new-channel">Channel</label>
          <select class="select" id="new-channel" name="channel">
            <option value="">The first that reaches the customer</option>
            {channels
              .filter(({ connected }) => connected)
              .map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
          </select>
        </div>
        <div class="field">
          <label for="new-text">Message</label>
          <textarea class="textarea" id="new-text" name="text" rows={3} dir="auto" required />
        </div>
        {send.problem && <ProblemNotice problem={send.problem} />}
        <div class="btns">
          <button type="submit" class="btn" data-kind="primary" disabled={send.isBusy}>
            Send
          </button>
          <button type="button" class="btn" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  );
}
