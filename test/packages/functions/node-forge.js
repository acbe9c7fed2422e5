import forge from 'node-forge';

const key = forge.util.hexToBytes('00112233445566778899aabbccddeeff');
export default () => {
  const digest = forge.md.sha256.create().update('abc').digest().toHex();
  const cipher = forge.cipher.createCipher('AES-GCM', key);
  cipher.start({ iv: forge.util.hexToBytes('000102030405060708090a0b') });
  cipher.update(forge.util.createBuffer('hello'));
  cipher.finish();
  const { publicKey, privateKey } = forge.pki.rsa.generateKeyPair({ bits: 512 });
  const certificate = forge.pki.createCertificate();
  Object.assign(certificate, { publicKey, serialNumber: '01' });
  certificate.setSubject([{ name: 'commonName', value: 'example.com' }]);
  certificate.setIssuer([{ name: 'commonName', value: 'example.com' }]);
  certificate.sign(privateKey, forge.md.sha256.create());
  const read = forge.pki.certificateFromPem(forge.pki.certificateToPem(certificate));
  return [
    digest,
    cipher.output.toHex(),
    cipher.mode.tag.toHex(),
    forge.random.getBytesSync(16).length,
    privateKey.decrypt(publicKey.encrypt('hi')),
    read.subject.getField('CN').value,
    read.verify(read),
  ];
};
