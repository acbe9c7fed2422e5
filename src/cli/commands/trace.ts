import type { Output } from '../../contract/index.ts';
import { defineCommand } from '../command.ts';

type Span = Output<'traces.show'>['spans'][number];

export const command = defineCommand({
  description: `Shows everything that has the same first cause as something: from a customer's message to the flow, the AI agent or the function that it ran, their calls, what they caused, and each attempt to deliver it. Each line is indented below what caused it.`,
  arguments: { id: { summary: 'Id of an event, a message, an invocation, a run, a job or a delivery, or a trace id' } },
  examples: [{ line: 'fn trace inv_01JD…', does: 'shows what led to the invocation, and what it led to' }],
  json: '{traceId, spans: [{id, parentId, kind, name, startedAt, ms, status, ref}], truncated}',
  see: ['events'],
  async run(context, { id }) {
    const trace = await (await context.door())('traces.show', { id }, { signal: context.signal });
    context.io.result(trace, () => drawn(trace, context.io.style.dim));
  },
});

/** The spans as a tree, each with its time since the beginning. */
function drawn({ spans, truncated }: Output<'traces.show'>, dim: (text: string) => string): string {
  const children = new Map<string | null, Span[]>();
  for (const span of spans) children.set(span.parentId, [...(children.get(span.parentId) ?? []), span]);
  const begin = Date.parse(spans[0]?.startedAt ?? '');
  const lines: string[] = [];
  const draw = (span: Span, depth: number) => {
    const at = `+${Date.parse(span.startedAt) - begin} ms`.padStart(11);
    const took = span.ms > 0 ? `  ${Math.round(span.ms)} ms` : '';
    const status = span.status === 'ok' || span.kind === 'log' ? '' : `  ${span.status}`;
    const name = span.name.replace(/\s+/g, ' ');
    lines.push(
      `${dim(at)}  ${'  '.repeat(depth)}${span.kind} ${name}${took}${status}${depth === 0 ? dim(`  ${span.ref}`) : ''}`,
    );
    for (const child of children.get(span.id) ?? []) draw(child, depth + 1);
  };
  for (const root of children.get(null) ?? []) draw(root, 0);
  if (truncated) lines.push('… and more');
  return lines.join('\n');
}
