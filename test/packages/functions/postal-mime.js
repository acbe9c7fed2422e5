import PostalMime from 'postal-mime';

const mail = [
  'From: =?utf-8?Q?J=C3=B6rg?= <joerg@example.com>',
  'To: a@example.com, "B, C" <b@example.com>',
  'Subject: =?utf-8?B?R3LDvMOfZQ==?=',
  'Content-Type: multipart/mixed; boundary=x',
  '',
  '--x',
  'Content-Type: text/plain; charset=iso-8859-1',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Gr=FC=DFe',
  '--x',
  'Content-Type: text/csv; name=a.csv',
  'Content-Disposition: attachment',
  'Content-Transfer-Encoding: base64',
  '',
  'YSxi',
  '--x--',
].join('\r\n');
export default async () => {
  const { from, to, subject, text, attachments } = await PostalMime.parse(mail);
  return [
    from,
    to,
    subject,
    text,
    attachments.map(({ filename, content }) => [filename, new TextDecoder().decode(content)]),
  ];
};
