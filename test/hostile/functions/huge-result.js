export default async () => Array.from({ length: 400 }, () => 'x'.repeat(1_000_000));
