export default async () => { const text = `[${'1,'.repeat(6_000_000)}1]`; for (;;) JSON.parse(text); };
