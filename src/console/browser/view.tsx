import { useRef, useState } from 'preact/hooks';
import { nameOf } from '../model/format.ts';
import { about, call, store, useQuery, useShown } from './app.ts';
import { PageTitle } from './page-title.tsx';
import { Bones, ProblemNotice, Square } from './parts.tsx';
import { ask, at, go, place, query } from './router.ts';
import { ViewBox } from './view-box.tsx';

interface Choice {
  /** As in the address of the page: `conversation=cnv_…`, `customer=cus_…`. */
  readonly value: string;
  readonly label: string;
}

const maxChoices = 50;

/** The conversations or customers to show a view with: the newest, and the one in the address, however old. */
async function readChoices(placement: string, asked: string | null): Promise<Choice[]> {
  if (placement === 'customer') {
    const { items } = await call('customers.list', { limit: maxChoices });
    const found =
      !asked || items.some(({ id }) => id === asked)
        ? undefined
        : await call('customers.get', { id: asked as never }).catch(() => undefined);
    return [...(found ? [found] : []), ...items].map((customer) => ({
      value: `customer=${customer.id}`,
      label: nameOf(customer),
    }));
  }
  if (placement !== 'conversation') return [];
  const { items } = await call('conversations.list', { inbox: 'all', limit: maxChoices });
  const found =
    !asked || items.some(({ id }) => id === asked)
      ? undefined
      : await call('conversations.get', { id: asked as never }).catch(() => undefined);
  const customers = new Map(
    (await call('customers.list', { limit: 200 })).items.map((customer) => [customer.id, customer]),
  );
  return await Promise.all(
    [...(found ? [found] : []), ...items].map(async ({ id, customerId }) => {
      const customer = customers.get(customerId) ?? (await call('customers.get', { id: customerId }));
      return { value: `conversation=${id}`, label: `${nameOf(customer)} · ${id.slice(-6)}` };
    }),
  );
}

/** A Custom View by itself, and what it is shown with. */
export function ViewPage() {
  const shown = place.value;
  const app = shown?.page === 'view' ? shown.app : '';
  const name = shown?.page === 'view' ? shown.name : '';
  const found = useQuery('functions.show', { app, name }, about(/^(?:live\.build|app\.|function\.deployed)/));
  const view = found?.data.value;
  const problem = found?.problem.value;
  const placement = String(view?.config['placement'] ?? '');
  const asked = query.value.get(placement);
  // Of what is chosen later the list knows by itself.
  const [atFirst] = useState(query.value);
  const [resets, setResets] = useState(0);
  const askedFirst = atFirst.get(placement);
  const list = useShown(
    store.named(
      `choices ${placement} ${askedFirst}`,
      () => readChoices(placement, askedFirst),
      about(/^(?:customer\.|conversation\.created|live\.seed)/),
    ),
  );
  const choices = placement === '' ? undefined : list.data.value;
  // What is shown stays, also when something newer comes before it.
  const kept = useRef('');
  const has = (wanted: string) => choices?.some(({ value }) => value === wanted);
  const chosen = [`${placement}=${asked}`, kept.current].find(has) ?? choices?.[0]?.value ?? '';
  kept.current = chosen;
  const title = String(view?.config['title'] ?? name);
  return (
    <>
      <PageTitle title={title} />
      <div class="split one-pane" data-pane="detail">
        <section class="pane" aria-label="Custom View" data-part="detail">
          <header class="pane-head">
            <Square
              icon="left"
              label="Back to the functions"
              only="narrow"
              onClick={() => go(at({ page: 'functions' }))}
            />
            <h2 dir="auto">{title}</h2>
            {placement !== '' && <span class="badge">{placement}</span>}
            <span class="grow" />
            {choices && choices.length > 0 ? (
              <label class="seen-with small t-2">
                Seen with
                <select
                  class="select"
                  id="seen-with"
                  autocomplete="off"
                  value={chosen}
                  onChange={({ currentTarget }) => {
                    const [key = '', id] = currentTarget.value.split('=');
                    ask({ [key]: id });
                  }}
                >
                  {choices.map(({ value, label }) => (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  ))}
                </select>
              </label>
            ) : (
              choices &&
              placement !== 'page' &&
              placement !== '' && <span class="small t-3">there is no {placement} to show it with yet</span>
            )}
          </header>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
          <section class="pane-body scroll section" tabIndex={0} aria-label="The view">
            {problem && !view && <ProblemNotice problem={problem} />}
            {!view && !problem && <Bones />}
            {view && choices && (
              <ViewBox
                // With nothing to show it with it has drawn nothing that could be kept.
                key={`${choices.length > 0} ${resets}`}
                app={app}
                name={name}
                title={title}
                height={Number(view.config['height'] ?? 320)}
                choice={chosen}
                onChoices={() => list.refresh()}
                onReset={() => {
                  ask({ conversation: undefined, customer: undefined });
                  setResets(resets + 1);
                  list.refresh();
                }}
              />
            )}
          </section>
        </section>
      </div>
    </>
  );
}
