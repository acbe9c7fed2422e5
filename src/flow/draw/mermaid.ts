import type { DrawnEdge, DrawnNode, FlowDrawing } from './model.ts';

/** A drawing as the text of a Mermaid flow chart, which many readers of Markdown show. */
export function mermaidOf({ nodes, edges }: FlowDrawing): string {
  // Names may be words of Mermaid, such as `end`.
  const ids = new Map(nodes.map(({ name }, i) => [name, `n${i}`]));
  return [
    'flowchart TD',
    ...nodes.map((node) => `  ${ids.get(node.name)}${shape(node)}`),
    ...edges.map((edge) => `  ${ids.get(edge.from)} ${arrow(edge)} ${ids.get(edge.to)}`),
    '',
  ].join('\n');
}

function shape({ type, title, detail }: DrawnNode): string {
  const text = `"${quoted(title)}<br/>${quoted(detail === '' ? type : detail)}"`;
  if (type === 'trigger' || type === 'end') return `([${text}])`;
  return type === 'condition' ? `{{${text}}}` : `[${text}]`;
}

function arrow({ label, isTrouble }: DrawnEdge): string {
  const line = isTrouble ? '-.->' : '-->';
  return label === '' ? line : `${line}|"${quoted(label)}"|`;
}

/** Mermaid reads Markdown and HTML in texts; entities of its own stand for what would end them. */
const quoted = (text: string) => text.replace(/["<>&#|`]/g, (character) => `#${character.charCodeAt(0)};`);
