// The limit of HTTP itself: the answer is there already. Usage: node bare-http.mjs PORT
const http = process.getBuiltinModule('node:http');
const body = JSON.stringify({ ok: true, n: '7', version: 'v0' });

http
  .createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  })
  .listen(Number(process.argv[2]), '127.0.0.1');
