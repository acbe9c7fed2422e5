/**
 * How a command knows a running `fn dev` from whatever else listens on its port by now, before it sends the token there: both hold the
 * token of the app, and what is made of it, a number used once and the port can be said aloud. With the port, nobody can hand the
 * question on to the real one.
 */
const proofPath = '/fn-dev-proof/';
const longestMs = 10_000;
const mostChars = 8_192;

/** What the holder of the token answers on this port; undefined for other paths. */
export function proofFor(path: string, port: number | undefined, token: () => string | undefined): string | undefined {
  const nonce = path.startsWith(proofPath) ? path.slice(proofPath.length) : '';
  if (!/^[\w-]{20,64}$/.test(nonce)) return undefined;
  const key = token();
  return key === undefined || port === undefined ? undefined : proofOf(key, port, nonce);
}

function proofOf(token: string, port: number, nonce: string): string {
  const { createHmac } = process.getBuiltinModule('node:crypto');
  return createHmac('sha256', token).update(`fn dev ${port} ${nonce}`).digest('base64url');
}

/** Whether who listens there holds the token. On a bare connection: node:http takes longer to load than this takes. */
export function provesToken(port: number, token: string): Promise<boolean> {
  const { connect } = process.getBuiltinModule('node:net');
  const { randomBytes } = process.getBuiltinModule('node:crypto');
  const nonce = randomBytes(18).toString('base64url');
  const expected = `\r\n\r\n${proofOf(token, port, nonce)}`;
  return new Promise((resolve) => {
    let answer = '';
    let proven = false;
    const socket = connect({ host: '127.0.0.1', port });
    socket.setEncoding('latin1');
    socket.once('connect', () =>
      socket.write(`GET ${proofPath}${nonce} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`),
    );
    socket.on('data', (text: string) => {
      answer += text;
      proven = answer.endsWith(expected);
      if (proven || answer.length > mostChars) socket.destroy();
    });
    const late = setTimeout(() => socket.destroy(), longestMs);
    socket.once('end', () => socket.destroy());
    socket.once('error', () => {});
    socket.once('close', () => {
      clearTimeout(late);
      resolve(proven);
    });
  });
}
