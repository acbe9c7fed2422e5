import { useState } from 'preact/hooks';
import { at } from './router.ts';
import { useFunctions } from './use-functions.ts';
import { ViewBox } from './view-box.tsx';

/** The app's views for a conversation, one at a time, each in its sandboxed frame. */
export function ConversationViews({ conversationId }: { readonly conversationId: string }) {
  const views = useFunctions().items.filter(
    ({ type, config }) => type === 'custom-view' && config['placement'] === 'conversation',
  );
  const [chosen, setChosen] = useState(0);
  const view = views[chosen] ?? views[0];
  if (!view) return null;
  const { app, name, config } = view;
  const title = String(config['title'] ?? name);
  return (
    <div class="section">
      <div class="section-head">
        {views.length === 1 ? (
          <h3 dir="auto">{title}</h3>
        ) : (
          <select
            class="select"
            data-size="s"
            aria-label="View"
            onChange={({ currentTarget }) => setChosen(currentTarget.selectedIndex)}
          >
            {views.map((one) => (
              <option key={`${one.app}/${one.name}`}>{String(one.config['title'] ?? one.name)}</option>
            ))}
          </select>
        )}
        <span class="badge" data-tone="line">
          View
        </span>
        <span class="grow" />
        <a class="link small" href={at({ page: 'view', app, name }, { conversation: conversationId })}>
          Open
        </a>
      </div>
      <ViewBox
        key={`${app}/${name}`}
        app={app}
        name={name}
        title={title}
        height={Number(config['height'] ?? 320)}
        choice={`conversation=${conversationId}`}
      />
    </div>
  );
}
