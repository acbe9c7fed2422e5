import axios from 'axios';
import required from 'axios/dist/browser/axios.cjs';

async function tried({ create }) {
  const client = create({ baseURL: 'https://api.example.com' });
  const codeOf = (settings) => client.get('/never', { timeout: 1, ...settings }).catch(({ code }) => code);
  const { data } = await client.get('/bytes', { responseType: 'arraybuffer' });
  return {
    bytes: [Buffer.isBuffer(data), data.toString('base64')],
    late: await codeOf(),
    clarified: await codeOf({ transitional: { clarifyTimeoutError: true } }),
  };
}

export default () => Promise.all([axios, required].map(tried));
