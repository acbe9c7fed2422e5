export default async () => { const a = {}; a.a = a; return a; };
