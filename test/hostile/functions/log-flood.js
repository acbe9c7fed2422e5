export default async () => { for (let i = 0; i < 3_000_000; i++) console.log('x'.repeat(1_000)); return { found: [] }; };
