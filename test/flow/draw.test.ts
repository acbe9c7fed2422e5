import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Flow } from '../../src/contract/shapes/index.ts';
import { drawingOf, layoutFlow, mermaidOf, svgOf } from '../../src/flow/index.ts';
import { aFlow, anEnd, withNodes } from './a-flow.ts';

/** A flow of 60 nodes: functions that branch and meet again. */
function large(): Flow {
  const nodes: Record<string, unknown> = {};
  for (let i = 0; i < 58; i++) {
    const to = (by: number) => (i + by < 58 ? `n${i + by}` : 'end');
    nodes[`n${i}`] =
      i % 3 === 0
        ? {
            type: 'custom-flow-node',
            function: `flow-nodes/step-${i}`,
            outcomes: { yes: to(1), no: to(2) },
            onError: 'end',
          }
        : { type: 'message', text: `Text number ${i} & <more> "quoted"`, next: to(1) };
  }
  return aFlow(withNodes({ ...nodes, end: anEnd }));
}

test('a flow of 60 nodes is drawn with every node and every way, and no two nodes overlap', async () => {
  const drawing = drawingOf(large(), 'large');
  assert.equal(drawing.nodes.length, 60);
  const layout = await layoutFlow(drawing);
  for (const [i, a] of layout.nodes.entries()) {
    assert.ok(a.x - a.width / 2 >= 0 && a.x + a.width / 2 <= layout.width, `${a.name} is inside`);
    assert.ok(a.y - a.height / 2 >= 0 && a.y + a.height / 2 <= layout.height, `${a.name} is inside`);
    for (const b of layout.nodes.slice(i + 1)) {
      const apart = Math.abs(a.x - b.x) >= (a.width + b.width) / 2 || Math.abs(a.y - b.y) >= (a.height + b.height) / 2;
      assert.ok(apart, `${a.name} and ${b.name} overlap`);
    }
  }
  const svg = svgOf(layout);
  for (const { name } of drawing.nodes) assert.ok(svg.includes(`id="node-${name}"`), name);
  for (const { from, to } of drawing.edges)
    assert.ok(svg.includes(`data-from="${from}" data-to="${to}"`), `${from} ${to}`);
  assert.equal(svg.match(/<path class="way/g)?.length, drawing.edges.length);
  assert.ok(svg.includes('&amp; &lt;more&gt;') && !svg.includes('<more>'));
});

test('Mermaid shows the same nodes and ways', () => {
  const flow = aFlow(
    withNodes({
      c: {
        type: 'condition',
        branches: [{ if: { field: 'message.text', op: 'contains', value: 'a|b' }, next: 'm' }],
        else: 'f',
      },
      f: { type: 'custom-flow-node', function: 'stock', outcomes: { ok: 'm' }, onError: 'end' },
      m: { type: 'message', text: 'Say "hi"', next: 'end' },
      end: anEnd,
    }),
  );
  assert.equal(
    mermaidOf(drawingOf(flow, 'support')),
    [
      'flowchart TD',
      '  n0(["t<br/>message.received"])',
      '  n1{{"c<br/>condition"}}',
      '  n2["f<br/>stock"]',
      '  n3["m<br/>Say #34;hi#34;"]',
      '  n4(["end<br/>end"])',
      '  n0 --> n1',
      '  n1 -->|"message.text contains a#124;b"| n3',
      '  n1 -->|"else"| n2',
      '  n2 -->|"ok"| n3',
      '  n2 -.->|"error"| n4',
      '  n3 --> n4',
      '',
    ].join('\n'),
  );
});
