import { useState } from 'preact/hooks';
import type { Output } from '../../contract/index.ts';
import { call, never, toast, useQuery } from './app.ts';
import { Empty, ProblemNotice, useAction } from './parts.tsx';
import { useModal } from './use-modal.ts';

type Template = Output<'templates.list'>['items'][number];

/** A field of a template: where its value belongs among the variables. */
interface Slot {
  readonly name: string;
  readonly label: string;
  readonly put: (variables: Variables, value: string) => void;
}
interface Variables {
  header?: string | { url: string };
  body?: string[] | Record<string, string>;
  buttons?: { index: number; value: string }[];
}

function slotsOf({ variables, header }: Template): Slot[] {
  const slots: Slot[] = variables.header.map((name) => ({
    name: `header ${name}`,
    label: `Header ${name}`,
    put: (made, value) => {
      made.header = value;
    },
  }));
  if (header && header.format !== 'text' && header.format !== 'location') {
    slots.push({
      name: 'header media',
      label: `Header: https address of the ${header.format}`,
      put: (made, url) => {
        made.header = { url };
      },
    });
  }
  for (const name of variables.body) {
    slots.push({
      name: `body ${name}`,
      label: variables.style === 'named' ? name : `Variable ${name}`,
      put: (made, value) => {
        if (variables.style === 'named') made.body = { ...(made.body as Record<string, string>), [name]: value };
        else made.body = [...((made.body as string[] | undefined) ?? []), value];
      },
    });
  }
  for (const { index, type } of variables.buttons) {
    slots.push({
      name: `button ${index}`,
      label: `Button ${index + 1} (${type})`,
      put: (made, value) => {
        made.buttons = [...(made.buttons ?? []), { index, value }];
      },
    });
  }
  return slots;
}

/** Chooses an approved template, fills it and sends it. */
export function SendTemplate({ to, onClose }: { readonly to: string | null; readonly onClose: () => void }) {
  const dialog = useModal();
  const all = useQuery('templates.list', { limit: 200 }, never)?.data.value?.items;
  const approved = all?.filter(({ status }) => status === 'approved') ?? [];
  const [chosen, setChosen] = useState(0);
  const template = approved[chosen];
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const send = useAction(async () => {
    if (!template || to === null) return;
    const variables: Variables = {};
    for (const slot of slotsOf(template)) slot.put(variables, values[slot.name] ?? '');
    const { name, language } = template;
    await call('templates.send', { to, template: name, language, variables: variables as never });
    toast(`Sent: ${name}`);
    onClose();
  });
  return (
    <dialog class="palette new-message" ref={dialog} aria-labelledby="send-template" onClose={onClose}>
      <div class="section stack">
        <h2 id="send-template">Use a template</h2>
        {to === null && <p class="t-2">Templates go to a phone number, and this customer has none.</p>}
        {all && approved.length === 0 && <Empty icon="templates" title="There is no approved template" />}
        {approved.length > 0 && (
          <div class="field">
            <label for="template">Template</label>
            <select
              class="select"
              id="template"
              onChange={({ currentTarget }) => setChosen(currentTarget.selectedIndex)}
            >
              {approved.map(({ id, name, language }) => (
                <option key={id}>{`${name}, ${language}`}</option>
              ))}
            </select>
          </div>
        )}
        {template && (
          <p class="tpl-body t-2" dir="auto">
            {template.body}
          </p>
        )}
        {template &&
          slotsOf(template).map(({ name, label }) => (
            <div class="field" key={`${template.id} ${name}`}>
              <label for={`slot ${name}`}>{label}</label>
              <input
                class="input"
                id={`slot ${name}`}
                dir="auto"
                value={values[name] ?? ''}
                onInput={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
              />
            </div>
          ))}
        {send.problem && <ProblemNotice problem={send.problem} />}
        <p class="small t-3">Nothing is sent unless all fit.</p>
        <div class="btns">
          <button
            type="button"
            class="btn"
            data-kind="primary"
            disabled={!template || to === null || send.isBusy}
            onClick={() => send.act()}
          >
            Send
          </button>
          <button type="button" class="btn" onClick={onClose}>
            Cancel
          </button>
        </div>
      </div>
    </dialog>
  );
}
