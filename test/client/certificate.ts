import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate for localhost that has signed itself, made anew each time. @param days of validity, from and to, counted from today */
export function selfSigned([from, to]: readonly [number, number]): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const ecdsaWithSha256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
  const name = sequence(
    der(0x31, sequence(Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from('localhost')))), // CN
  );
  const hosts = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(day(from), day(to)),
    name,
    publicKey,
    der(0xa3, sequence(sequence(Buffer.from('0603551d11', 'hex'), der(0x04, hosts)))), // subject alternative name
  );
  const signature = sign('sha256', body, createPrivateKey(privateKey));
  const whole = sequence(body, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return { cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`, key: privateKey };
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);

/** UTCTime */
function day(offset: number): Buffer {
  const at = new Date(Date.now() + offset * 86_400_000).toISOString();
  return der(0x17, Buffer.from(`${at.slice(2, 19).replaceAll(/[-:T]/g, '')}Z`));
}
