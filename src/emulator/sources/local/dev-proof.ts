/**
 * Lets a command verify that a running `fn dev`, and not another program, listens on its port before it sends the token there. Both know the
 * app's token, and a hash of it with a nonce and the port can be disclosed. The port prevents another program from relaying the challenge
 * to the real `fn dev`.
 */
const proofPath = '/fn-dev-proof/';
const longestMs = 10_000;
const mostChars = 8_192;

/** The proof for a request path on this port; undefined for other paths. */
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

/** Whether the listener on the port knows the token. Uses a plain connection, because loading node:http takes longer than the check. */
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
