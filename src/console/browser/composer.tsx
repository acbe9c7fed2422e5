import { useRef, useState } from 'preact/hooks';
import type { Output } from '../../contract/index.ts';
import { actsAs } from './app.ts';
import { asPerson } from './as-person.ts';
import { FileButton, uploaded } from './attach-file.tsx';
import { NotSent } from './chat-parts.tsx';
import { useKeys } from './keys.ts';
import { Segments, Square, useAction } from './parts.tsx';
import { SendTemplate } from './send-template.tsx';

type Customer = Output<'customers.get'>;
type ConversationOf = Output<'conversations.get'>;
type Agent = Output<'agents.list'>['items'][number];

/** Where the team writes: a reply, a note, a file, a template. */
export function Composer({
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
