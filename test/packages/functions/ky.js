import ky from 'ky';

const seen = [];
const api = ky.create({
  retry: { limit: 1, delay: () => 1 },
  fetch: async (request) => {
    seen.push(`${request.method} ${request.url}`);
    return request.url.includes('bad')
      ? new Response('no', { status: 500 })
      : Response.json({ ok: true, body: await request.text() });
  },
});
export default async () => {
  seen.length = 0;
  return [
    await api.post('https://x.example/y', { json: { a: 1 }, searchParams: { q: 'z' } }).json(),
    await api
      .get('https://x.example/bad')
      .text()
      .catch((error) => [error.name, error.response.status]),
    seen,
  ];
};
