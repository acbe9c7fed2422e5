import { remark } from 'remark';
export default async () => {
  const tree = remark().parse('# Hi *du*\n\n- a\n- [b](https://x.example "t")\n\n```js\n1\n```');
  const shout = () => (root) => {
    for (const node of root.children) if (node.type === 'heading') node.depth = 2;
  };
  return [
    tree.children.map(({ type }) => type),
    String(await remark().use(shout).process('# Hi *du*\n\n* a\n* b')),
    String(remark().data('settings', { bullet: '+' }).processSync('- a')),
  ];
};
