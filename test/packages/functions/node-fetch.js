import fetch, { AbortError, FetchError, Headers, Response } from 'node-fetch';

const address = 'data:text/plain;charset=utf-8,h%C3%A4llo';
export default async () => {
  const whole = await fetch(address);
  let text = '';
  for await (const part of (await fetch(address)).body) text += part.toString();
  const heard = [];
  const { body } = await fetch(address);
  await new Promise((resolve, reject) =>
    body
      .on('data', (part) => heard.push(part))
      .on('end', resolve)
      .on('error', reject),
  );
  const headers = new Headers({ 'X-A': '1' });
  headers.append('x-a', '2');
  return [
    [whole.status, whole.ok, await whole.text()],
    text,
    Buffer.concat(heard).toString('hex'),
    Buffer.from(await (await fetch(address)).arrayBuffer()).length,
    [...headers],
    await new Response('{"a":1}').json(),
    new FetchError('no', 'system') instanceof Error && new AbortError('x').type,
  ];
};
