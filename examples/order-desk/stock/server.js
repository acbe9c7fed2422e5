/**
 * The stock service of the shop: an MCP server over SSE with one tool, for the agent of the support flow.
 * `npm run stock` starts it at the address that seed.json names, and again after each save.
 */
import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/server';
import { SSEServerTransport } from '@modelcontextprotocol/server-legacy/sse';
import articles from '../functions/_data/stock.json' with { type: 'json' };

/** @type {Record<string, { title: string, stock: number }>} */
const stock = articles;

/** @type {import('@modelcontextprotocol/server').Tool} */
const available = {
  name: 'available',
  title: 'What is in stock',
  description: 'How many pieces of an article are in stock.',
  inputSchema: {
    type: 'object',
    properties: {
      article: { type: 'string', description: 'Its number, as TNT-120' },
    },
    required: ['article'],
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

/** @param {string} number */
function answer(number) {
  const found = stock[number.toUpperCase()];
  if (found === undefined)
    return {
      content: [text(`There is no article ${number}`)],
      isError: true,
    };
  const told = { article: found.title, pieces: found.stock };
  return { content: [text(JSON.stringify(told))], structuredContent: told };
}

/** @param {string} value */
const text = (value) => ({ type: /** @type {const} */ ('text'), text: value });

function makeServer() {
  const server = new Server(
    { name: 'stock', version: '1.0.0' },
    { capabilities: { tools: {} } },
  );
  server.setRequestHandler('tools/list', () => ({ tools: [available] }));
  server.setRequestHandler('tools/call', ({ params }) =>
    answer(String(params.arguments?.['article'])),
  );
  return server;
}

/** @type {Map<string, SSEServerTransport>} */
const sessions = new Map();

const http = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(
    request.url ?? '/',
    'http://localhost',
  );
  if (request.method === 'GET' && pathname === '/sse') {
    const transport = new SSEServerTransport('/messages', response);
    sessions.set(transport.sessionId, transport);
    response.once('close', () => sessions.delete(transport.sessionId));
    await makeServer().connect(transport);
    return;
  }
  const session = sessions.get(searchParams.get('sessionId') ?? '');
  if (request.method === 'POST' && pathname === '/messages' && session)
    await session.handlePostMessage(request, response);
  else response.writeHead(404).end();
});

http.on('error', ({ message }) => {
  console.error(`The stock service cannot start: ${message}`);
  process.exitCode = 1;
});
const [given = '4410'] = process.argv.slice(2);
http.listen(Number(given), '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (
    http.address()
  );
  console.error(`The stock service is at http://127.0.0.1:${port}/sse`);
});
