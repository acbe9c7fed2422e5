import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Output } from '../../contract/index.ts';
import { problemIn } from '../model/api.ts';
import {
  type ChatItem,
  chatOf,
  type Message,
  quickRepliesOf,
  type RenderedPart,
  renderedOf,
  wordsOfEvent,
} from '../model/chat.ts';
import { formatDay, formatMinute, formatMs, formatWhole, nameOf } from '../model/format.ts';
import { isRecord } from '../model/problem.ts';
import { Answering, DeskDraft, PhoneDraft, useAiTitles } from './answering.tsx';
import {
  about,
  actsAs,
  call,
  copy,
  never,
  now,
  onChange,
  slug,
  store,
  toast,
  today,
  useQuery,
  useShown,
} from './app.ts';
import { asPerson } from './as-person.ts';
import { Confirmations } from './confirmations.tsx';
import { ConversationViews } from './conversation-views.tsx';
import { useKeys } from './keys.ts';
import { Avatar, Bones, Empty, Icon, Id, ProblemNotice, Segments, Square, Status, useAction } from './parts.tsx';
import { ask, at, go, query } from './router.ts';
import { SaveTest, SaveTestButton, useSavingTest } from './save-test.tsx';
import { SendTemplate } from './send-template.tsx';

type Customer = Output<'customers.get'>;
type ConversationOf = Output<'conversations.get'>;
type Assignee = ConversationOf['assignee'];
type Agent = Output<'agents.list'>['items'][number];

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
      <Details conversation={found} customer={customer} />
    </>
  );
}

interface SideProps {
  readonly conversation: ConversationOf;
  readonly customer: Customer;
  /** Oldest first. */
  readonly messages: readonly Message[];
  readonly hasMore: boolean;
  readonly more: () => Promise<void>;
}

/** On narrow screens, which of the three is seen. */
function Sides() {
  const pane = query.value.get('pane') ?? 'desk';
  const sides = [
    ['phone', 'Customer'],
    ['desk', 'Desk'],
    ['details', 'Details'],
  ] as const;
  return (
    <nav class="bar sides" data-only="narrow" aria-label="Side">
      <div class="seg">
        {sides.map(([side, title]) => (
          <button key={side} type="button" aria-pressed={pane === side} onClick={() => ask({ pane: side })}>
            {title}
          </button>
        ))}
      </div>
    </nav>
  );
}

function Back() {
  return (
    <span data-back>
      <Square icon="left" label="Back to the conversations" onClick={() => go(at({ page: 'inbox' }))} />
    </span>
  );
}

/** Scrolls to the end when something is added while the end is in view, and keeps what is read in place when earlier ones come. */
function useEnd(length: number, first: string | undefined) {
  const place = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const height = useRef(0);
  const before = useRef(first);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    if (before.current !== first && !isAtEnd.current) element.scrollTop += element.scrollHeight - height.current;
    else if (isAtEnd.current) element.scrollTop = element.scrollHeight;
    before.current = first;
    height.current = element.scrollHeight;
  }, [length, first]);
  const onScroll = ({
    currentTarget: { scrollTop, clientHeight, scrollHeight },
  }: {
    currentTarget: HTMLDivElement;
  }) => {
    isAtEnd.current = scrollTop + clientHeight >= scrollHeight - 8;
  };
  const keepEnd = () => {
    if (place.current && isAtEnd.current) place.current.scrollTop = place.current.scrollHeight;
  };
  return { place, onScroll, keepEnd };
}

/** What the customer sees, and writes. */
function Phone({ conversation, customer, messages, hasMore, more }: SideProps) {
  const name = nameOf(customer);
  const workspace = useQuery('workspace.show', {}, never)?.data.value;
  const [text, setText] = useState('');
  const { place, onScroll, keepEnd } = useEnd(messages.length, messages[0]?.id);
  const send = useAction(async (given: { text?: string; quickReplyId?: string }) => {
    await call('messages.receive', { conversationId: conversation.id, ...given });
    if (given.text === text) setText('');
  });
  const attach = useAction(async (file: File) => {
    const media = await uploaded(file);
    await call('messages.receive', { conversationId: conversation.id, media, ...(text !== '' && { text }) });
    setText('');
  });
  return (
    <section class="pane" data-tone="sunk" aria-label="As the customer" data-part="phone">
      <header class="pane-head">
        <Back />
        <h2 dir="auto">{name}’s phone</h2>
      </header>
      <Sides />
      <div class="pane-body phone-place">
        <div class="phone">
          <PhoneClock />
          <div class="phone-head">
            <Avatar name={workspace?.name ?? slug} size={28} />
            <div>
              <strong dir="auto">{workspace?.name ?? slug}</strong>
            </div>
          </div>
          <div
            class="phone-chat scroll"
            ref={place}
            onScroll={onScroll}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
            tabIndex={0}
            role="log"
            aria-label={`Chat as ${name} sees it`}
          >
            <div class="chat">
              {hasMore && <Earlier more={more} />}
              {messages.map((message, index) => (
                <Day key={message.id} at={message.createdAt} before={messages[index - 1]?.createdAt}>
                  {message.status !== 'failed' && <PhoneMessage message={message} />}
                </Day>
              ))}
              <PhoneDraft
                conversationId={conversation.id}
                messages={messages}
                onGrow={keepEnd}
                name={workspace?.name ?? slug}
              />
              <QuickReplies
                messages={messages}
                onTap={(quickReplyId) => send.act({ quickReplyId })}
                onButton={(title) => send.act({ text: title })}
              />
            </div>
          </div>
          <form
            class="phone-write"
            onSubmit={(event) => {
              event.preventDefault();
              if (text.trim() !== '') send.act({ text });
            }}
          >
            <FileButton label={`Attach a file as ${name}`} onFile={(file) => attach.act(file)} />
            <input
              class="input"
              dir="auto"
              autocomplete="off"
              placeholder="Write as the customer"
              aria-label={`Write as ${name}`}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
            <button
              type="submit"
              class="btn"
              data-shape="square"
              data-kind="primary"
              aria-label={`Send as ${name}`}
              title={`Send as ${name}`}
            >
              <Icon name="send" />
            </button>
          </form>
        </div>
        {send.problem || attach.problem ? (
          <NotSent problem={send.problem ?? attach.problem} />
        ) : (
          <p>What you write here comes in as a message from the customer. Nothing leaves this machine.</p>
        )}
      </div>
    </section>
  );
}

const PhoneClock = () => <div class="phone-status">{formatMinute(now.value, now.value)}</div>;

function NotSent({ problem }: { readonly problem: ReturnType<typeof useAction>['problem'] }) {
  return problem ? (
    <div class="not-sent" role="status">
      <strong>Not sent.</strong>
      <ProblemNotice problem={problem} />
    </div>
  ) : null;
}

function Earlier({ more }: { readonly more: () => Promise<void> }) {
  const { act, isBusy } = useAction(more);
  return (
    <button type="button" class="btn earlier" data-size="s" disabled={isBusy} onClick={() => act()}>
      Earlier messages
    </button>
  );
}

/** Says the day before the first thing of it. */
function Day(props: {
  readonly at: string;
  readonly before: string | undefined;
  readonly children: ComponentChildren;
}) {
  const day = formatDay(props.at, today.value);
  const isNew = props.before === undefined || formatDay(props.before, today.value) !== day;
  return (
    <>
      {isNew && <span class="chat-day">{day}</span>}
      {props.children}
    </>
  );
}

function PhoneMessage({ message }: { readonly message: Message }) {
  const isOwn = message.direction === 'in';
  return (
    <div class="msg" data-side={isOwn ? 'right' : undefined}>
      <Content message={message} />
      <span class="msg-state" title={formatWhole(message.createdAt)}>
        {formatMinute(message.createdAt, today.value)}
      </span>
    </div>
  );
}

function Content({ message }: { readonly message: Message }) {
  const { text, media, template } = message;
  if (template) return <Rendered rendered={template.rendered} />;
  return (
    <div class="bubble" dir="auto">
      {media && <Media {...media} />}
      {text}
    </div>
  );
}

/** A picture that was uploaded; of other media the name. Media elsewhere are not fetched. */
function Media({
  mediaId,
  type,
  fileName,
  url,
}: {
  mediaId?: string | undefined;
  type?: string | undefined;
  fileName?: string | undefined;
  url?: string | undefined;
}) {
  const name = fileName ?? url ?? mediaId ?? '';
  const source = mediaId && `/tenants/${slug}/media/${mediaId}`;
  if (source && type === 'image') return <img class="media" src={source} alt={name} />;
  return (
    <span class="attachment">
      <Icon name={type === 'image' ? 'image' : 'clip'} />
      {source ? (
        <a class="link" href={source}>
          {name}
        </a>
      ) : (
        name
      )}
    </span>
  );
}

function Rendered({ rendered }: { readonly rendered: unknown }) {
  const { cards, ...whole } = renderedOf(rendered);
  return (
    <>
      <Part part={whole} />
      {cards.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
        <ul class="carousel" aria-label={`${cards.length} cards`} tabIndex={0}>
          {cards.map((card, index) => (
            <li key={index} class="tpl">
              <PartContent part={card} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const Part = ({ part }: { readonly part: RenderedPart }) => (
  <div class="tpl">
    <PartContent part={part} />
  </div>
);

const buttonIcons: Readonly<Record<string, string>> = { url: 'open-out', quick_reply: 'hand-back', copy_code: 'copy' };

function PartContent({ part: { header, body, footer, buttons } }: { readonly part: RenderedPart }) {
  const { format, text, latitude, longitude, name } = header;
  const given = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return (
    <>
      {typeof text === 'string' && (
        <p class="tpl-body">
          <strong dir="auto">{text}</strong>
        </p>
      )}
      {latitude !== undefined && <p class="tpl-body">{given(name) ?? `${String(latitude)}, ${String(longitude)}`}</p>}
      {typeof format === 'string' && format !== 'text' && format !== 'location' && (
        <Media
          mediaId={given(header['mediaId'])}
          url={given(header['url'])}
          fileName={given(header['fileName'])}
          type={format}
        />
      )}
      {body !== '' && (
        <p class="tpl-body" dir="auto">
          {body}
        </p>
      )}
      {footer !== '' && (
        <p class="tpl-foot" dir="auto">
          {footer}
        </p>
      )}
      {buttons.map((button) => (
        <span class="tpl-button" key={`${button.type} ${button.text}`}>
          <Icon name={buttonIcons[button.type] ?? 'link'} />
          {button.text}
        </span>
      ))}
    </>
  );
}

/** What the customer can tap: the answers of the last message, or the buttons of a template. */
function QuickReplies(props: {
  readonly messages: readonly Message[];
  readonly onTap: (id: string) => void;
  readonly onButton: (title: string) => void;
}) {
  const last = props.messages.at(-1);
  const replies = quickRepliesOf(props.messages);
  const buttons =
    last?.direction === 'out' && last.template
      ? renderedOf(last.template.rendered).buttons.filter(({ type }) => type === 'quick_reply')
      : [];
  if (replies.length === 0 && buttons.length === 0) return null;
  return (
    <div class="quick-replies">
      {replies.map(({ id, title }) => (
        <button key={id} type="button" class="btn" data-size="s" dir="auto" onClick={() => props.onTap(id)}>
          {title}
        </button>
      ))}
      {replies.length === 0 &&
        buttons.map(({ text }) => (
          <button key={text} type="button" class="btn" data-size="s" dir="auto" onClick={() => props.onButton(text)}>
            {text}
          </button>
        ))}
    </div>
  );
}

function FileButton({ label, onFile }: { readonly label: string; readonly onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        type="file"
        hidden
        ref={input}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) onFile(file);
          currentTarget.value = '';
        }}
      />
      <Square icon="clip" label={label} onClick={() => input.current?.click()} />
    </>
  );
}

/** Uploads a file as any client does: by signed credentials. */
async function uploaded(file: File): Promise<{ mediaId: never; fileName: string }> {
  const contentType = file.type || 'application/octet-stream';
  const credentials = await call('templates.uploadCredentials', { fileName: file.name, contentType, bytes: file.size });
  const { mediaId, uploadUrl, method, headers } = credentials;
  // The address names the workspace as it knows itself; this page may have been opened by another name of the same machine.
  const { pathname, search } = new URL(uploadUrl, location.origin);
  const response = await fetch(pathname + search, { method, headers, body: file });
  if (!response.ok) throw await problemIn(response);
  return { mediaId: mediaId as never, fileName: file.name };
}

/** What the team sees, and does. */
function Desk({ conversation, customer, messages, hasMore, more }: SideProps) {
  const { id, status, assignee } = conversation;
  const name = nameOf(customer);
  const isOwn = ({ type, data }: { type: string; data: Readonly<Record<string, unknown>> }) =>
    data['conversationId'] === id && type !== 'live.log';
  const notes = useQuery('notes.list', { conversationId: id, limit: 200 }, isOwn)?.data.value?.items ?? [];
  const events =
    useQuery('events.list', { conversationId: id, order: 'desc', limit: 200 }, isOwn)?.data.value?.items ?? [];
  const toolCalls = useQuery('tools.logs', { conversationId: id, limit: 200 }, isOwn)?.data.value?.items ?? [];
  const agents = useQuery('agents.list', { limit: 200 }, never)?.data.value?.items ?? [];
  const groups = useQuery('workgroups.list', { limit: 200 }, never)?.data.value?.items ?? [];
  const ais = useAiTitles();
  const lastAi = messages.findLast(({ author }) => author.type === 'aiAgent')?.author.id;
  const aiName = (lastAi && ais.get(lastAi)) ?? (ais.size > 0 ? [...ais.values()][0] : undefined) ?? 'AI';
  const nameOfAssignee = (one: string) => [...agents, ...groups].find((each) => each.id === one)?.name;
  const items = chatOf({ messages, notes, events, toolCalls }, !hasMore);
  const { place, onScroll, keepEnd } = useEnd(items.length, items[0]?.id);
  const change = useAction(async (run: () => Promise<unknown>) => {
    await run();
  });
  const close = () => change.act(() => asPerson('conversations.close', { id }));
  const reopen = () => change.act(() => asPerson('conversations.reopen', { id }));
  useKeys({
    e: () => (status === 'open' ? close() : reopen()),
    Escape: () => go(at({ page: 'inbox' })),
  });
  return (
    <section class="pane" aria-label="Agent desk" data-part="desk">
      <header class="pane-head">
        <Back />
        <h2 dir="auto">{name}</h2>
        <span class="grow" />
        <AssignSelect
          assignee={assignee}
          agents={agents}
          groups={groups}
          onAssign={(assign) => change.act(() => asPerson('conversations.assign', { id, assign }))}
        />
        <ActsAs agents={agents} />
        {status === 'open' ? (
          <Square icon="check" label="Close the conversation (e)" onClick={close} />
        ) : (
          <Square icon="again" label="Reopen the conversation (e)" onClick={reopen} />
        )}
        <Square
          icon="views"
          label="Show the details"
          only="small"
          onClick={() => ask({ pane: query.value.get('pane') === 'details' ? undefined : 'details' })}
        />
      </header>
      <Sides />
      <Answering conversation={conversation} />
      {change.problem && <ProblemNotice problem={change.problem} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <div class="pane-body scroll" ref={place} onScroll={onScroll} tabIndex={0} role="log" aria-label="Conversation">
        <div class="chat">
          {hasMore && <Earlier more={more} />}
          {items.length === 0 && <Empty icon="inbox" title="No messages yet" />}
          {items.map((item, index) => (
            <Day key={item.id} at={item.at} before={items[index - 1]?.at}>
              <DeskItem item={item} customer={name} agents={agents} ais={ais} nameOfAssignee={nameOfAssignee} />
            </Day>
          ))}
          <DeskDraft conversationId={id} messages={messages} onGrow={keepEnd} name={aiName} />
        </div>
      </div>
      <Confirmations conversationId={id} />
      {status === 'open' ? (
        <Composer conversation={conversation} customer={customer} agents={agents} />
      ) : (
        <div class="composer">
          <div class="write-foot">
            <span class="grow t-2">This conversation is closed.</span>
            <button type="button" class="btn" onClick={reopen}>
              Reopen
            </button>
          </div>
        </div>
      )}
    </section>
  );
}

function AssignSelect(props: {
  readonly assignee: Assignee;
  readonly agents: readonly Agent[];
  readonly groups: readonly { readonly id: string; readonly name: string }[];
  readonly onAssign: (assign: { agentId: string } | { workgroupId: string } | null) => void;
}) {
  const { agentId, workgroupId } = props.assignee;
  return (
    <div class="assign">
      <Icon name="team" size={14} />
      <select
        class="select"
        data-size="s"
        aria-label="Assigned to"
        value={agentId ?? workgroupId ?? ''}
        onChange={({ currentTarget: { value } }) =>
          props.onAssign(value === '' ? null : value.startsWith('agt_') ? { agentId: value } : { workgroupId: value })
        }
      >
        <option value="">Nobody</option>
        {[...props.groups, ...props.agents].map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

/** As whom one writes; a browser keeps it. */
function ActsAs({ agents }: { readonly agents: readonly Agent[] }) {
  useEffect(() => {
    const [first] = agents;
    if (first && !agents.some(({ id }) => id === actsAs.value)) actsAs.value = first.id;
  }, [agents]);
  const me = agents.find(({ id }) => id === actsAs.value);
  const next = () => {
    const index = agents.findIndex(({ id }) => id === actsAs.value);
    const chosen = agents[(index + 1) % Math.max(1, agents.length)];
    if (!chosen) return;
    actsAs.value = chosen.id;
    toast(`You act as ${chosen.name}`);
  };
  if (!me) return null;
  return (
    <button
      type="button"
      class="me"
      aria-label={`You act as ${me.name}; next colleague`}
      title={`You act as ${me.name}`}
      onClick={next}
    >
      <Avatar name={me.name} size={28} />
    </button>
  );
}

interface DeskItemProps {
  readonly item: ChatItem;
  readonly customer: string;
  readonly agents: readonly Agent[];
  readonly ais: ReadonlyMap<string, string>;
  readonly nameOfAssignee: (id: string) => string | undefined;
}

function DeskItem({ item, customer, agents, ais, nameOfAssignee }: DeskItemProps) {
  if (item.kind === 'event') {
    return (
      <a class="happened" href={at({ page: 'trace', id: item.id })}>
        <Icon name="flag" />
        <span dir="auto">{wordsOfEvent(item.event, nameOfAssignee)}</span>
        <Minute at={item.at} />
      </a>
    );
  }
  if (item.kind === 'tool-call') {
    const { tool, status, ms, invocationId, decision } = item.toolCall;
    const said = decision === 'asked' ? 'asks a person' : status === 'ok' ? '' : status;
    return (
      <a
        class="happened"
        href={at(
          invocationId === null
            ? { page: 'trace', id: item.toolCall.traceId }
            : { page: 'invocations', id: invocationId },
        )}
      >
        <Status state={status} />
        <code>{tool}</code>
        {[said, ms === null ? '' : formatMs(ms)].filter((part) => part !== '').join(' · ')}
        <Minute at={item.at} />
      </a>
    );
  }
  if (item.kind === 'note') {
    return (
      <div class="msg note">
        <span class="msg-by">
          <strong dir="auto">{authorName(item.note.author, customer, agents, ais)}</strong>
          <Minute at={item.at} /> · internal note
        </span>
        <p dir="auto">{item.note.text}</p>
      </div>
    );
  }
  const { message } = item;
  return (
    <div class="msg" id={message.id} data-side={message.direction === 'out' ? 'right' : undefined}>
      <span class="msg-by">
        <strong dir="auto" data-who={message.author.type === 'aiAgent' ? 'ai' : undefined}>
          {authorName(message.author, customer, agents, ais)}
        </strong>
        {message.author.type === 'aiAgent' && 'AI · '}
        <Minute at={item.at} />
        <a
          class="link trace-link"
          href={at({ page: 'trace', id: message.id })}
          title="Everything that has the same cause"
        >
          trace
        </a>
      </span>
      <Content message={message} />
      {message.quickReplies.length > 0 && (
        <span class="small t-3" dir="auto">
          {message.quickReplies.map(({ title }) => title).join(' · ')}
        </span>
      )}
      {message.direction === 'out' && <Delivery message={message} />}
    </div>
  );
}

const Minute = ({ at: moment }: { readonly at: string }) => (
  <time class="time" dateTime={moment} title={formatWhole(moment)}>
    {formatMinute(moment, today.value)}
  </time>
);

function authorName(
  { type, id }: Message['author'],
  customer: string,
  agents: readonly Agent[],
  ais: ReadonlyMap<string, string>,
): string {
  if (type === 'customer') return customer;
  if (type === 'agent') return agents.find((agent) => agent.id === id)?.name ?? 'Colleague';
  if (type === 'aiAgent' && id !== null) return ais.get(id) ?? id;
  if (type === 'function' || type === 'flow' || type === 'aiAgent') return id ?? type;
  return type === 'api' ? 'API' : type;
}

const deliveryStates = ['delivered', 'read', 'failed'] as const;

/** What became of a message; the channel of this workspace says what one chooses. */
function Delivery({ message }: { readonly message: Message }) {
  const { id, status, error } = message;
  const set = useAction(async (chosen: (typeof deliveryStates)[number]) => {
    await call('messages.updateStatus', {
      id,
      status: chosen,
      ...(chosen === 'failed' && { error: 'Set to failed in the console' }),
    });
  });
  return (
    <span class="msg-state" data-s={status}>
      {status === 'read' || status === 'delivered' ? (
        <Icon name="check-2" size={12} />
      ) : (
        <Icon name={status === 'failed' ? 's-error' : 'check'} size={12} />
      )}
      <select
        aria-label="Delivery state"
        class="state-select"
        value={status}
        onChange={(event) => set.act(event.currentTarget.value as 'read')}
      >
        {!deliveryStates.some((one) => one === status) && <option>{status}</option>}
        {deliveryStates.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
      {error && <span dir="auto">{error}</span>}
      {set.problem && <span class="problem">{set.problem.message}</span>}
    </span>
  );
}

function Composer({
  conversation,
  customer,
  agents,
}: {
  readonly conversation: ConversationOf;
  readonly customer: Customer;
  readonly agents: readonly Agent[];
}) {
  const [what, setWhat] = useState<'reply' | 'note'>('reply');
  const [text, setText] = useState('');
  const [isTemplate, setTemplate] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const me = agents.find(({ id }) => id === actsAs.value)?.name;
  const conversationId = conversation.id;
  const send = useAction(async () => {
    if (text.trim() === '') return;
    if (what === 'note') await asPerson('notes.add', { conversationId, text });
    else await asPerson('messages.send', { conversationId, text });
    setText('');
    field.current?.focus();
  });
  const attach = useAction(async (file: File) => {
    await asPerson('messages.send', { conversationId, media: await uploaded(file), ...(text !== '' && { text }) });
    setText('');
  });
  useKeys({
    n: () => {
      setWhat('note');
      field.current?.focus();
    },
  });
  const said = what === 'note' ? 'Note for the team; the customer does not see it' : me ? `Reply as ${me}` : 'Reply';
  return (
    <>
      <form
        class="composer"
        onSubmit={(event) => {
          event.preventDefault();
          send.act();
        }}
      >
        <NotSent problem={send.problem ?? attach.problem} />
        <div class="write">
          <label class="sr" for="reply">
            {what === 'note' ? 'Internal note' : 'Reply'}
          </label>
          <textarea
            class="textarea"
            id="reply"
            rows={2}
            dir="auto"
            ref={field}
            placeholder={said}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              send.act();
            }}
          />
        </div>
        <div class="write-foot">
          <Segments
            label="What you write"
            choices={[
              { value: 'reply', label: 'Reply' },
              { value: 'note', label: 'Note' },
            ]}
            chosen={what}
            onChoose={setWhat}
          />
          <FileButton label="Attach a file" onFile={(file) => attach.act(file)} />
          <Square icon="templates" label="Use a template" onClick={() => setTemplate(true)} />
          <span class="grow" />
          <button type="submit" class="btn" data-kind="primary" disabled={send.isBusy}>
            {what === 'note' ? 'Add note' : 'Send'}
            <kbd class="kbd">Ctrl ↵</kbd>
          </button>
        </div>
      </form>
      {isTemplate && <SendTemplate to={customer.phone} onClose={() => setTemplate(false)} />}
    </>
  );
}

/** The views beside the conversation, and what is known of customer and conversation. */
function Details({ conversation, customer }: { readonly conversation: ConversationOf; readonly customer: Customer }) {
  const channels = useQuery('channels.list', { limit: 200 }, about(/^channel\./))?.data.value?.items ?? [];
  const channel = channels.find(({ id }) => id === conversation.channelId)?.name ?? conversation.channelId;
  const saving = useSavingTest();
  return (
    <section class="pane scroll" aria-label="Details" data-part="details">
      <header class="pane-head">
        <Back />
        <h2>Details</h2>
        <span class="grow" />
        <SaveTestButton saving={saving} />
        <Square icon="close" label="Close the details" only="small" onClick={() => ask({ pane: undefined })} />
      </header>
      <Sides />
      <SaveTest conversationId={conversation.id} saving={saving} />
      <ConversationViews conversationId={conversation.id} />
      <div class="section">
        <div class="section-head">
          <h3>Customer</h3>
          <span class="grow" />
          <Id id={customer.id} />
        </div>
        <Pairs
          pairs={[
            ['Name', customer.name],
            ['Phone', customer.phone],
            ['E-mail', customer.email],
            ['Language', customer.language],
            ...Object.entries(customer.fields),
          ]}
        />
      </div>
      <div class="section">
        <div class="section-head">
          <h3>Conversation</h3>
          <span class="grow" />
          <Id id={conversation.id} />
        </div>
        <Pairs
          pairs={[
            ['Channel', channel],
            ['Status', conversation.status],
            ['Inbox', conversation.inbox ? 'listed' : 'not before the customer writes'],
            ...Object.entries(conversation.fields),
          ]}
        />
        <button type="button" class="link" onClick={() => copy(conversation.url, 'the direct link')}>
          Copy the direct link
        </button>
      </div>
    </section>
  );
}

function Pairs({ pairs }: { readonly pairs: readonly (readonly [string, unknown])[] }) {
  return (
    <dl class="pairs">
      {pairs
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([name, value]) => (
          <>
            <dt dir="auto">{name}</dt>
            <dd dir="auto">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
          </>
        ))}
    </dl>
  );
}
