import { inflateSync } from 'node:zlib';
import QRCode from 'qrcode';

/** The points of a PNG: the same ones may be compressed differently, and be told in fewer pieces. */
function pointsOf(png) {
  const parts = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(data);
  }
  return inflateSync(Buffer.concat(parts)).toString('base64');
}

export default async () => {
  const png = await QRCode.toBuffer('https://example.com/ä', { width: 60 });
  return [
    await QRCode.toString('https://example.com', { type: 'svg', margin: 1 }),
    await QRCode.toString('hi', { type: 'utf8' }),
    png.subarray(0, 33).toString('hex'),
    pointsOf(png),
    (await QRCode.toDataURL('hi')).slice(0, 40),
  ];
};
