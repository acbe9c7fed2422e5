import type { Flow, FlowNode } from '../../contract/shapes/index.ts';
import { shortened } from '../../std/index.ts';
import { exitsOf } from '../exits.ts';

/** A flow as it is drawn: every node and every way, as the interpreter takes them. */
export interface FlowDrawing {
  readonly title: string;
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
}

export interface DrawnNode {
  readonly name: string;
  readonly type: FlowNode['type'];
  /** What it is called. */
  readonly title: string;
  /** What it does, in a few words. */
  readonly detail: string;
}

export interface DrawnEdge {
  readonly from: string;
  readonly to: string;
  /** Empty for the only way. */
  readonly label: string;
  /** A way that is taken when something failed, ran out of time or budget. */
  readonly isTrouble: boolean;
}

const maxDetail = 40;
const maxLabel = 28;
const troubles = ['error', 'timeout', 'budget'];

/** What there is to draw, in the order of the file. */
export function drawingOf(flow: Flow, name: string): FlowDrawing {
  const nodes = Object.entries(flow.nodes);
  return {
    title: flow.title ?? name,
    nodes: nodes.map(([id, node]) => ({
      name: id,
      type: node.type,
      title: shortened(node.title ?? id, maxDetail),
      detail: shortened(oneLine(detailOf(node)), maxDetail),
    })),
    edges: nodes.flatMap(([id, node]) =>
      exitsOf(node).map(({ to, label, outcome }) => ({
        from: id,
        to,
        label: shortened(oneLine(label), maxLabel),
        isTrouble: troubles.includes(outcome) && node.type !== 'condition',
      })),
    ),
  };
}

function detailOf(node: FlowNode): string {
  switch (node.type) {
    case 'trigger':
      return node.on === 'schedule' ? `schedule ${node.schedule}` : node.on;
    case 'message':
      return node.text ?? (node.template ? `template ${node.template.name}` : 'media');
    case 'custom-flow-node':
      return node.function;
    case 'ai':
      return node.prompt;
    case 'ai-agent':
      return node.agent ?? node.instructions ?? '';
    case 'handover':
    case 'assign':
      return `to ${node.to.workgroup ?? node.to.agent}`;
    case 'wait':
      return node.for === 'time' ? (node.duration ?? '') : `for a message, ${node.timeout ?? '7d'}`;
    case 'end':
      return node.close ? 'closes the conversation' : '';
    case 'condition':
      return '';
  }
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
