import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';

const Item = ({ name, children }) => h('li', { class: 'i', style: { color: 'red' }, onClick: () => 1 }, name, children);
export default () =>
  renderToString(
    h('ul', null, h(Item, { name: '<a>' }, h('b', null, 1)), null, false, [h(Item, { key: 1, name: 'b' })]),
  );
