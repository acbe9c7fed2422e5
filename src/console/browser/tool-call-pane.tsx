import type { ToolCall } from '../model/run-steps.ts';
import { about, useQuery } from './app.ts';
import { Code, Id, Square, Status } from './parts.tsx';
import { ask, at } from './router.ts';

/** One call of a tool: what it was given and what it answered. */
export function ToolCallPane({ shown }: { readonly shown: ToolCall }) {
  const { id, name, source, arguments: args, status, result, error } = shown;
  // The record of the call names the invocation.
  const logs = useQuery('tools.logs', { id, limit: 1 }, about(/^aiTool\./))?.data.value;
  const invocationId = logs?.items[0]?.invocationId;
  return (
    <section class="pane" data-tone="sunk" aria-label="Tool call" data-part="inspector">
      <header class="pane-head">
        <h2 class="cut">
          <code class="h-code">{name}</code>
        </h2>
        <Status state={status === 'awaitingConfirmation' ? 'waiting' : status} />
        <span class="grow" />
        <Square icon="close" label="Close" only="small" onClick={() => ask({ step: undefined })} />
      </header>
      <section class="pane-body scroll section stack" aria-label="Call">
        <p class="small t-2">
          {source.function ?? source.client ?? source.type} <Id id={id} />
        </p>
        {invocationId && (
          <a class="link" href={at({ page: 'invocations', id: invocationId })}>
            Its invocation
          </a>
        )}
        <Code title="Arguments" value={args} />
        {error ? (
          <p class="problem" dir="auto">
            {error.message} <code>{error.code}</code>
          </p>
        ) : (
          <Code title="Result" value={result} />
        )}
      </section>
    </section>
  );
}
