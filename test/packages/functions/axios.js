import axios, { AxiosError } from 'axios';

const client = axios.create({
  baseURL: 'https://api.example.com',
  headers: { 'x-a': '1' },
  adapter: async (config) => {
    const response = {
      data: JSON.stringify({
        url: axios.getUri(config),
        method: config.method,
        sent: config.data,
        type: config.headers.get('content-type'),
      }),
      status: config.url.includes('bad') ? 404 : 200,
      statusText: '',
      headers: {},
      config,
    };
    if (response.status === 404) throw new AxiosError('Request failed', 'ERR_BAD_REQUEST', config, undefined, response);
    return response;
  },
});
export default async () => [
  (await client.get('/x', { params: { q: ['a', 'b c'] } })).data,
  (await client.post('/y', { a: 1 })).data,
  await client.get('/bad').catch((error) => [error.code, error.response.status, axios.isAxiosError(error)]),
];
