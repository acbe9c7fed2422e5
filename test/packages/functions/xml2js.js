import { Builder, parseStringPromise } from 'xml2js';
export default async () => [
  await parseStringPromise('<r a="1"><i>1</i><i>2</i></r>'),
  new Builder({ headless: true }).buildObject({ r: { $: { a: 1 }, i: [1, 2] } }),
  await parseStringPromise('<a>').catch((error) => error.message.split('\n')[0]),
];
