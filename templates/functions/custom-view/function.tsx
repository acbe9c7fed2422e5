/** @jsxRuntime classic */
/** @jsx dom.h */

import * as dom from '{{root}}_dom.ts';
import type { CustomView, ViewSdk } from 'convo-fn';
import { summaryOf } from './_{{last}}.summary.ts';
import './{{last}}.css';

/** A panel next to the conversation: who the customer is, what we know, and the last messages. */
export const config: CustomView = {
  type: 'custom-view',
  title: '{{title}}',
  placement: 'conversation',
  height: 420,
};

export default async function (sdk: ViewSdk) {
  let latest = 0;

  async function show() {
    const turn = ++latest;
    const panel = await panelOf(sdk);
    // Another conversation may have been opened meanwhile.
    if (turn === latest) dom.render(panel, sdk.view.container);
  }

  const end = sdk.view.on('context', show);
  await show();
  // Called when the view is closed.
  return end;
}

async function panelOf({
  customer,
  conversation,
  messages,
  ui,
  context,
}: ViewSdk) {
  if (!customer || !conversation)
    return (
      <p className="panel empty">Open a conversation to see who writes.</p>
    );

  const { items } = await messages.list({
    conversationId: conversation.id,
    order: 'desc',
    limit: 4,
  });
  const { name, initials, contact, facts, last, waiting } = summaryOf(
    customer,
    items.reverse(),
    context.now().getTime(),
  );

  return (
    <section className="panel">
      <header>
        <span className="avatar">{initials}</span>
        <div>
          <h1 dir="auto">{name}</h1>
          <p>{contact}</p>
        </div>
        {waiting && <span className="badge">waiting {waiting}</span>}
      </header>

      <dl>
        {facts.map(([label, value]) => (
          <div>
            <dt>{label}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
      </dl>

      <ol>
        {last.map((message) => (
          <li className={message.direction}>
            <p dir="auto">{message.text}</p>
            <time>{message.ago}</time>
          </li>
        ))}
      </ol>

      <footer>
        <button type="button" onclick={() => copy(contact, ui)}>
          Copy contact
        </button>
      </footer>
    </section>
  );
}

async function copy(text: string, ui: ViewSdk['ui']) {
  try {
    await navigator.clipboard.writeText(text);
    await ui.toast('Copied');
  } catch {
    await ui.toast('The browser did not allow it', { kind: 'error' });
  }
}
