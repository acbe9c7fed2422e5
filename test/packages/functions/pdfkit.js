import PDFDocument from 'pdfkit';

export default async () => {
  const document = new PDFDocument({ compress: false, info: { CreationDate: new Date(0) } });
  const pieces = [];
  const end = new Promise((resolve) => {
    document.on('data', (piece) => pieces.push(Buffer.from(piece))).on('end', resolve);
  });
  document.font('Times-Bold').fontSize(20).text('Offer for Müller & Söhne');
  document.moveTo(50, 100).lineTo(200, 100).stroke();
  document.end();
  await end;
  const text = Buffer.concat(pieces).toString('latin1');
  return [text.slice(0, 8), document.widthOfString('Offer'), text.match(/\/BaseFont \/[\w-]+/g)];
};
