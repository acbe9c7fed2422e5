import { compile, convert } from 'html-to-text';

const html =
  '<h1>Bestellung</h1><p>Hallo <b>Jürgen</b>, <a href="https://x.example/a?b=1&amp;c">hier</a>.</p><ul><li>eins<li>zwei</ul><table><tr><td>A</td><td>12</td></tr></table>';
export default () => [
  convert(html, { wordwrap: 30 }),
  compile({
    selectors: [
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'table', format: 'dataTable' },
    ],
  })(html),
];
