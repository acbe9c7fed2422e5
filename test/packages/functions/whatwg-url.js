import { parseURL, serializeURL, URL, URLSearchParams } from 'whatwg-url';
export default () => {
  const url = new URL('../b?x=1#h', 'https://ü.example:443/a/c');
  url.searchParams.append('y', 'ä b');
  return [
    url.href,
    url.host,
    new URLSearchParams([
      ['a', '1'],
      ['a', '2'],
    ]).getAll('a'),
    serializeURL(parseURL('HTTP://EXAMPLE/%7Efoo/../x')),
    parseURL('no'),
  ];
};
