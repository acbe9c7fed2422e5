export default async () => { const f = () => f() + 1; return f(); };
