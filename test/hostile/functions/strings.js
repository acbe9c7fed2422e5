export default async () => { const list = []; for (let s = 'x'; ; s += s) { if (s.length > 2e8) s = 'x'; list.push(s.split('')); } };
