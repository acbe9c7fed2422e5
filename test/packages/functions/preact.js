import { createElement, Fragment, isValidElement, toChildArray } from 'preact';
export default () => {
  const node = createElement('p', { id: 'x', key: 1 }, 'a', [createElement(Fragment, null, 2)]);
  return [isValidElement(node), node.type, node.key, toChildArray(node.props.children).length];
};
