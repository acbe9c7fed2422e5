import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { HTTPException } from 'hono/http-exception';

const app = new Hono()
  .use(cors())
  .get('/hi/:name', (c) => c.json({ hi: c.req.param('name'), q: c.req.query('q') }))
  .post('/echo', async (c) => c.text((await c.req.json()).a))
  .get('/no', () => {
    throw new HTTPException(418, { message: 'teapot' });
  });
const read = async (response) => [response.status, response.headers.get('content-type'), await response.text()];
export default async () => [
  await read(await app.request('/hi/Ann?q=1')),
  await read(await app.request('/echo', { method: 'POST', body: '{"a":"x"}' })),
  await read(await app.request('/no')),
  await read(await app.request('/gone')),
];
