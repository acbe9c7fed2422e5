import { DOMParser, parseHTML } from 'linkedom';
export default () => {
  const { document } = parseHTML('<!doctype html><html><body><ul id="l"><li class="a">eins<li>zwei</ul></body></html>');
  const item = document.createElement('li');
  item.textContent = '<drei>';
  item.dataset.n = '3';
  document.querySelector('#l').append(item);
  document.querySelector('.a').remove();
  const xml = new DOMParser().parseFromString('<o n="1"><i>x</i></o>', 'text/xml');
  return [
    document.querySelector('#l').outerHTML,
    [...document.querySelectorAll('li[data-n]')].map((li) => li.textContent),
    xml.documentElement.getAttribute('n'),
    xml.toString(),
  ];
};
