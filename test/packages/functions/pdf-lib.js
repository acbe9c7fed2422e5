import { PDFDocument, rgb, StandardFonts } from 'pdf-lib';

export default async () => {
  const made = await PDFDocument.create({ updateMetadata: false });
  const font = await made.embedFont(StandardFonts.Helvetica);
  const page = made.addPage([300, 200]);
  page.drawText('Invoice 42', { x: 20, y: 150, size: 18, font, color: rgb(0, 0.5, 1) });
  made.setTitle('Invoice');
  const bytes = await made.save();
  const read = await PDFDocument.load(bytes, { updateMetadata: false });
  return [read.getTitle(), read.getPage(0).getSize(), font.widthOfTextAtSize('Invoice', 10), bytes.length];
};
