// A webhook receiver that does nothing but count: POST is answered with 204, GET with how many came. Usage: node receiver.mjs PORT
const http = process.getBuiltinModule('node:http');
let count = 0;

http
  .createServer((request, response) => {
    if (request.method === 'GET') return response.end(String(count));
    request.resume().on('end', () => {
      count++;
      response.writeHead(204).end();
    });
  })
  .listen(Number(process.argv[2]), '127.0.0.1');
