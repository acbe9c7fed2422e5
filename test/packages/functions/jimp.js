import { Jimp } from 'jimp';

export default async () => {
  const image = new Jimp({ width: 8, height: 4, color: 0xff0000ff });
  image.setPixelColor(0x00ff00ff, 0, 0);
  image.resize({ w: 4, h: 2 }).greyscale();
  const read = await Jimp.read(await image.getBuffer('image/png'));
  return [read.width, read.height, [...read.bitmap.data], (await read.getBase64('image/jpeg')).slice(0, 30)];
};
