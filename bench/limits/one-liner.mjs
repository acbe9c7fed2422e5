// The limit of a one-line client: POST a body, print an id and a link. Usage: node one-liner.mjs URL TOKEN http|fetch
const [url, token, by] = process.argv.slice(2);
const body = JSON.stringify({ to: '+4930901820', template: 'order_shipped', variables: { body: ['Ann', 'A-17'] } });
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
const print = (text) => {
  const { conversationId, conversationUrl } = JSON.parse(text);
  process.stdout.write(`${conversationId}\t${conversationUrl}\n`);
};

if (by === 'fetch') print(await (await fetch(url, { method: 'POST', headers, body })).text());
else {
  const { request } = process.getBuiltinModule('node:http');
  const sent = request(
    url,
    { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) } },
    (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () => print(text));
    },
  );
  sent.end(body);
}
