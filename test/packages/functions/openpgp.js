import * as openpgp from 'openpgp';

export default async () => {
  const sealed = await openpgp.encrypt({
    message: await openpgp.createMessage({ text: 'Hällo' }),
    passwords: ['secret'],
  });
  const opened = await openpgp.decrypt({
    message: await openpgp.readMessage({ armoredMessage: sealed }),
    passwords: ['secret'],
  });
  const made = await openpgp.generateKey({ userIDs: [{ name: 'Ann', email: 'ann@example.com' }], format: 'object' });
  const signed = await openpgp.sign({
    message: await openpgp.createCleartextMessage({ text: 'I agree' }),
    signingKeys: made.privateKey,
  });
  const { signatures } = await openpgp.verify({
    message: await openpgp.readCleartextMessage({ cleartextMessage: signed }),
    verificationKeys: made.publicKey,
  });
  const wrong = await openpgp
    .decrypt({ message: await openpgp.readMessage({ armoredMessage: sealed }), passwords: ['wrong'] })
    .catch(({ message }) => message);
  return [sealed.split('\n')[0], opened.data, await signatures[0].verified, wrong, made.publicKey.getUserIDs()];
};
