import TurndownService from 'turndown';

export default () => {
  const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
  service.addRule('strike', { filter: ['del'], replacement: (text) => `~${text}~` });
  return service.turndown(
    '<h1>Hi</h1><p>a <b>b</b> <del>c</del> <a href="https://x.y/?a=1&amp;b=2">l</a></p><ul><li>1<li>2</ul><pre><code>x  &lt;y</code></pre>',
  );
};
