import { useMemo, useState } from 'preact/hooks';
import { type Message, quickRepliesOf, renderedOf } from '../model/chat.ts';
import { formatMinute, formatWhole, nameOf } from '../model/format.ts';
import { PhoneDraft } from './answering.tsx';
import { call, never, now, slug, today, useQuery } from './app.ts';
import { FileButton, uploaded } from './attach-file.tsx';
import { Day, Earlier, NotSent } from './chat-parts.tsx';
import { Content } from './message-content.tsx';
import { Avatar, Icon, useAction } from './parts.tsx';
import { Back, type SideProps, Sides } from './sides.tsx';
import { useNodes } from './use-nodes.ts';
import { useRows } from './use-rows.ts';

/** What the customer sees, and writes. */
export function Phone({ conversation, customer, messages, hasMore, more }: SideProps) {
  const name = nameOf(customer);
  const workspace = useQuery('workspace.show', {}, never)?.data.value;
  const [text, setText] = useState('');
  const ids = useMemo(() => messages.map(({ id }) => id), [messages]);
  const rows = useRows(ids);
  const nodes = useNodes(
    messages,
    rows,
    (message) => message,
    (message, before) => (
      <div class="chat-row" key={message.id} data-row={message.id}>
        <Day at={message.createdAt} before={before?.createdAt} />
        {message.status !== 'failed' && <PhoneMessage message={message} />}
      </div>
    ),
    [],
  );
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
            class="phone-chat scroll chat-scroll"
            ref={rows.place}
            onScroll={rows.onScroll}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
            tabIndex={0}
            role="log"
            aria-label={`Chat as ${name} sees it`}
          >
            <div class="chat">
              {hasMore && <Earlier more={more} />}
              <div class="chat-rows" ref={rows.list}>
                {nodes}
              </div>
              <PhoneDraft
                conversationId={conversation.id}
                messages={messages}
                onGrow={rows.keepEnd}
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
