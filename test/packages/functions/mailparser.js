import { simpleParser } from 'mailparser';

const mail = `From: =?utf-8?q?J=C3=BCrgen?= <a@b.example>
To: C <c@d.example>
Subject: =?utf-8?B?w7xiZXI=?=
Date: Thu, 01 Jan 1970 00:00:00 +0000
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=X

--X
Content-Type: text/html; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

<p>h=E4llo <b>du</b></p>
--X
Content-Type: text/plain; name=a.txt
Content-Disposition: attachment; filename=a.txt
Content-Transfer-Encoding: base64

aGk=
--X--
`;
export default async () => {
  const { subject, from, to, html, date, attachments } = await simpleParser(mail.replaceAll('\n', '\r\n'));
  return [
    subject,
    from.value,
    to.text,
    html,
    date,
    attachments.map((one) => [one.filename, String(one.content), one.checksum]),
  ];
};
