import { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow, TextRun } from 'docx';
import JSZip from 'jszip';

export default async () => {
  const cells = ['A', 'B'].map((text) => new TableCell({ children: [new Paragraph(text)] }));
  const children = [
    new Paragraph({ text: 'Offer', heading: HeadingLevel.HEADING_1 }),
    new Paragraph({ children: [new TextRun({ text: 'Müller & Söhne', bold: true })] }),
    new Table({ rows: [new TableRow({ children: cells })] }),
  ];
  const buffer = await Packer.toBuffer(new Document({ sections: [{ children }] }));
  const files = await JSZip.loadAsync(buffer);
  return [Object.keys(files.files).sort(), await files.file('word/document.xml').async('string')];
};
