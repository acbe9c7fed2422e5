import type { Output } from '../../contract/index.ts';
import { isRecord, shortened } from '../../std/index.ts';
import { type Html, html } from './html.ts';
import { nameOf } from './name-of.ts';
import { type Page, page } from './page.ts';
import { timeOf } from './time.ts';

type Conversation = Output<'conversations.get'>;
type Customer = Output<'customers.get'>;
type Message = Output<'messages.list'>['items'][number];

export interface WorkspaceData {
  readonly workspace: { readonly name: string; readonly slug: string };
  /** Newest activity first. */
  readonly conversations: readonly {
    readonly conversation: Conversation;
    readonly customer: Customer;
    readonly channel: string;
    readonly last: Message | undefined;
  }[];
  /** Cursor of the next page of conversations. */
  readonly nextCursor: string | null;
}

/** The workspace’s own address, `/tenants/<slug>`: its inbox. */
export function workspacePage({ workspace, conversations, nextCursor }: WorkspaceData): Page {
  return page({
    title: `Inbox · ${workspace.name}`,
    heading: workspace.name,
    links: [['/', 'Functions']],
    liveBy: `/tenants/${workspace.slug}/events`,
    body: html`<main><h2>Inbox</h2>
${conversations.length === 0 ? html`<p class="soft">Nobody has written yet. To write as a customer:</p><pre>fn api messages.receive -f phone=+493090182001 -f text=Hello</pre>` : ''}
<ul class="list">${conversations.map(
      ({ conversation, customer, channel, last }) => html`<li id="${conversation.id}">
<div class="row"><a href="/tenants/${workspace.slug}/conversations/${conversation.id}"><strong class="short" dir="auto">${nameOf(customer)}</strong></a>
<span class="tag">${channel}</span>${conversation.status === 'closed' ? html`<span class="tag">closed</span>` : ''}
<span class="soft small end">${timeOf(conversation.lastMessageAt)}</span></div>
<div class="soft" dir="auto">${last ? summaryOf(last) : ''}</div></li>`,
    )}</ul>
${nextCursor === null ? '' : html`<p><a href="/tenants/${workspace.slug}?cursor=${nextCursor}">Older conversations</a></p>`}</main>`,
  });
}

export interface ConversationData {
  readonly workspace: { readonly name: string; readonly slug: string };
  readonly conversation: Conversation;
  readonly customer: Customer;
  readonly channel: string;
  /** Names of the assigned agent and workgroup. */
  readonly assignee: { readonly agent: string | null; readonly workgroup: string | null };
  /** Oldest first. */
  readonly messages: readonly Message[];
  /** Whether there are earlier messages. */
  readonly cutOff: boolean;
}

/** The direct link of a conversation. */
export function conversationPage({
  workspace,
  conversation,
  customer,
  channel,
  assignee,
  messages,
  cutOff,
}: ConversationData): Page {
  const assigned = [assignee.agent, assignee.workgroup].filter((name) => name !== null).join(', ');
  return page({
    title: `${nameOf(customer)} · ${workspace.name}`,
    heading: nameOf(customer),
    hasForm: true,
    links: [
      [`/tenants/${workspace.slug}`, 'Inbox'],
      ['/', 'Functions'],
    ],
    liveBy: `/tenants/${workspace.slug}/events`,
    body: html`<main>
<div class="row"><span class="tag">${channel}</span><span class="tag ${conversation.status === 'open' ? 'ok' : ''}">${conversation.status}</span>
${conversation.inbox ? '' : html`<span class="tag">not in the inbox until the customer replies</span>`}
<span class="soft small">${[customer.phone, customer.email].filter(Boolean).join(' · ')}</span>
<span class="soft small end">${assigned ? `assigned to ${assigned}` : 'not assigned'}</span></div>
${cutOff ? html`<p class="soft small">The last ${messages.length} messages; all of them: <code>fn api messages.list -f conversationId=${conversation.id}</code></p>` : ''}
<div class="chat" id="chat">${messages.map((message) => bubble(workspace.slug, message))}</div>
${messages.length === 0 ? html`<p class="soft">No messages yet.</p>` : ''}
<form class="row write" id="write" method="post"><label class="soft small short" for="text" dir="auto">Write as ${nameOf(customer)}</label>
<input id="text" name="text" dir="auto" autocomplete="off" required><button>Send</button></form>
<p class="soft small"><code>${conversation.id}</code></p>
</main>`,
  });
}

function bubble(slug: string, message: Message): Html {
  return html`<div class="bubble ${message.direction}" id="${message.id}"><span class="by">${message.author.type} · ${timeOf(message.createdAt)}${message.direction === 'out' ? ` · ${message.status}` : ''}</span>${
    message.template ? rendered(slug, message.template.rendered) : textIn(message.text ?? '')
  }${message.media ? mediaOf(slug, message.media.type, { ...message.media }) : ''}${
    message.quickReplies.length > 0
      ? html`<span class="chips">${message.quickReplies.map(({ title }) => html`<span>${title}</span>`)}</span>`
      : ''
  }</div>`;
}

/** User text, with the direction of its first letters. */
function textIn(text: string): Html {
  return html`<div dir="auto">${text}</div>`;
}

/** A template message as the customer sees it; the parts come from the rendering stored with the message. */
function rendered(slug: string, value: unknown): Html {
  const parts = recordOf(value);
  const header = recordOf(parts['header']);
  const buttons = listOf(parts['buttons']);
  const cards = listOf(parts['carousel']);
  return html`${headerOf(slug, header)}${textIn(textOf(parts['body']))}${parts['footer'] ? html`<span class="foot" dir="auto">${textOf(parts['footer'])}</span>` : ''}${chips(buttons)}${
    cards.length > 0
      ? html`<div class="cards">${cards.map((card) => {
          const { header: top, body, buttons: own } = recordOf(card);
          return html`<div>${headerOf(slug, recordOf(top))}${textIn(textOf(body))}${chips(listOf(own))}</div>`;
        })}</div>`
      : ''
  }`;
}

function headerOf(slug: string, header: Record<string, unknown>): Html | '' {
  if (typeof header['text'] === 'string') return html`<span class="head" dir="auto">${header['text']}</span>`;
  return typeof header['format'] === 'string' ? mediaOf(slug, header['format'], header) : '';
}

/** Shows an uploaded picture; for other media just the name. External media are not fetched. */
function mediaOf(
  slug: string,
  format: string,
  { mediaId, fileName, url, name, latitude, longitude }: Record<string, unknown>,
): Html {
  const place = latitude === undefined ? undefined : `${String(latitude)}, ${String(longitude)}`;
  const called = String(fileName ?? url ?? name ?? place ?? mediaId ?? '');
  if (typeof mediaId !== 'string') return html`<span class="head">[${format}] ${called}</span>`;
  const at = `/tenants/${slug}/media/${mediaId}`;
  if (format === 'image') return html`<img class="media" src="${at}" alt="${called}">`;
  return html`<span class="head">[${format}] <a href="${at}">${called}</a></span>`;
}

function chips(buttons: readonly unknown[]): Html | '' {
  if (buttons.length === 0) return '';
  return html`<span class="chips">${buttons.map((button) => html`<span>${textOf(recordOf(button)['text'])}</span>`)}</span>`;
}

const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : String(recordOf(value)['text'] ?? ''));

function summaryOf(message: Message): string {
  const text = message.text ?? (message.template ? textOf(recordOf(message.template.rendered)['body']) : '');
  return shortened(text, 140);
}
