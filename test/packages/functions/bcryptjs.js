import bcrypt from 'bcryptjs';
export default async () => {
  const hash = bcrypt.hashSync('secret', '$2b$04$abcdefghijklmnopqrstuu');
  return [
    hash,
    await bcrypt.compare('secret', hash),
    bcrypt.compareSync('other', hash),
    bcrypt.getRounds(hash),
    (await bcrypt.genSalt(4)).length,
  ];
};
