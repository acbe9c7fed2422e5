export default async () => { const e = new Error('x'.repeat(50_000_000)); e.name = 'N'.repeat(10_000_000); e.stack = 's'.repeat(50_000_000); throw e; };
