import { Marked, marked } from 'marked';
export default async () => [
  await marked.parse('# Hi\n\n* a\n* **b** [l](http://x.y)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nx < 1\n```'),
  new Marked({ renderer: { heading: ({ text }) => `<h9>${text}</h9>` } }).parse('# X'),
];
