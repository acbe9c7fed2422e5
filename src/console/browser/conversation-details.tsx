import type { Output } from '../../contract/index.ts';
import { about, copy, useQuery } from './app.ts';
import { ConversationViews } from './conversation-views.tsx';
import { Id, Square } from './parts.tsx';
import { ask } from './router.ts';
import { SaveTest, SaveTestButton, useSavingTest } from './save-test.tsx';
import { Back, Sides } from './sides.tsx';

type Customer = Output<'customers.get'>;
type ConversationOf = Output<'conversations.get'>;

/** The views beside the conversation, and what is known of customer and conversation. */
export function ConversationDetails({
  conversation,
  customer,
}: {
  readonly conversation: ConversationOf;
  readonly customer: Customer;
}) {
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
