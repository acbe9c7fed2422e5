import { useEffect, useMemo } from 'preact/hooks';
import type { Output } from '../../contract/index.ts';
import { chatOf, sourceOfItem } from '../model/chat.ts';
import { nameOf } from '../model/format.ts';
import { Answering, DeskDraft, useAiTitles, useFlowTitles } from './answering.tsx';
import { actsAs, never, toast, useQuery } from './app.ts';
import { asPerson } from './as-person.ts';
import { Day, Earlier } from './chat-parts.tsx';
import { Composer } from './composer.tsx';
import { Confirmations } from './confirmations.tsx';
import { DeskItem } from './desk-item.tsx';
import { useKeys } from './keys.ts';
import { Avatar, Empty, Icon, ProblemNotice, Square, useAction } from './parts.tsx';
import { ask, at, go, query } from './router.ts';
import { Back, type SideProps, Sides } from './sides.tsx';
import { useNodes } from './use-nodes.ts';
import { useRows } from './use-rows.ts';

type ConversationOf = Output<'conversations.get'>;
type Assignee = ConversationOf['assignee'];
type Agent = Output<'agents.list'>['items'][number];

const nobody: never[] = [];

/** What the team sees, and does. */
export function Desk({ conversation, customer, messages, hasMore, more }: SideProps) {
  const { id, status, assignee } = conversation;
  const name = nameOf(customer);
  const isOwn = ({ type, data }: { type: string; data: Readonly<Record<string, unknown>> }) =>
    data['conversationId'] === id && type !== 'live.log';
  const notes = useQuery('notes.list', { conversationId: id, limit: 200 }, isOwn)?.data.value?.items ?? nobody;
  const events =
    useQuery('events.list', { conversationId: id, order: 'desc', limit: 200 }, isOwn)?.data.value?.items ?? nobody;
  const toolCalls = useQuery('tools.logs', { conversationId: id, limit: 200 }, isOwn)?.data.value?.items ?? nobody;
  const agents = useQuery('agents.list', { limit: 200 }, never)?.data.value?.items ?? nobody;
  const groups = useQuery('workgroups.list', { limit: 200 }, never)?.data.value?.items ?? nobody;
  const ais = useAiTitles();
  const flows = useFlowTitles();
  const titles = useMemo(() => new Map([...ais, ...flows]), [ais, flows]);
  const lastAi = messages.findLast(({ author }) => author.type === 'aiAgent')?.author.id;
  const aiName = (lastAi && ais.get(lastAi)) ?? (ais.size > 0 ? [...ais.values()][0] : undefined) ?? 'AI';
  const nameOfAssignee = (one: string) => [...agents, ...groups].find((each) => each.id === one)?.name;
  const items = useMemo(
    () => chatOf({ messages, notes, events, toolCalls }, !hasMore),
    [messages, notes, events, toolCalls, hasMore],
  );
  const ids = useMemo(() => items.map((item) => item.id), [items]);
  const rows = useRows(ids);
  const nodes = useNodes(
    items,
    rows,
    sourceOfItem,
    (item, before) => (
      <div class="chat-row" key={item.id} data-row={item.id}>
        <Day at={item.at} before={before?.at} />
        <DeskItem item={item} customer={name} agents={agents} titles={titles} nameOfAssignee={nameOfAssignee} />
      </div>
    ),
    [name, agents, groups, titles],
  );
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
      <div
        class="pane-body scroll chat-scroll"
        ref={rows.place}
        onScroll={rows.onScroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
        tabIndex={0}
        role="log"
        aria-label="Conversation"
      >
        <div class="chat">
          {hasMore && <Earlier more={more} />}
          {items.length === 0 && <Empty icon="inbox" title="No messages yet" />}
          <div class="chat-rows" ref={rows.list}>
            {nodes}
          </div>
          <DeskDraft conversationId={id} messages={messages} onGrow={rows.keepEnd} name={aiName} />
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
