import type { Output } from '../../contract/index.ts';
import { type ChatItem, type Message, wordsOfEvent } from '../model/chat.ts';
import { formatMinute, formatMs, formatWhole } from '../model/format.ts';
import { call, today } from './app.ts';
import { Content } from './message-content.tsx';
import { Icon, Status, useAction } from './parts.tsx';
import { at } from './router.ts';

type Agent = Output<'agents.list'>['items'][number];

interface DeskItemProps {
  readonly item: ChatItem;
  readonly customer: string;
  readonly agents: readonly Agent[];
  /** Of AI agents and flows, by id. */
  readonly titles: ReadonlyMap<string, string>;
  readonly nameOfAssignee: (id: string) => string | undefined;
}

/** One thing in a conversation as the team sees it: a message, a note, something that happened. */
export function DeskItem({ item, customer, agents, titles, nameOfAssignee }: DeskItemProps) {
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
          <strong dir="auto">{authorName(item.note.author, customer, agents, titles)}</strong>
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
          {authorName(message.author, customer, agents, titles)}
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
  titles: ReadonlyMap<string, string>,
): string {
  if (type === 'customer') return customer;
  if (type === 'agent') return agents.find((agent) => agent.id === id)?.name ?? 'Colleague';
  if (type === 'function' || type === 'flow' || type === 'aiAgent') return id === null ? type : (titles.get(id) ?? id);
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
