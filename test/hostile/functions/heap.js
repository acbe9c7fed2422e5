export default async () => { const list = []; for (;;) list.push({ a: new Array(100).fill({}) }); };
