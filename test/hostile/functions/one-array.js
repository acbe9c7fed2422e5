export default async () => { const list = []; for (;;) list.push(new Array(1e8).fill(1.5)); };
