export default async () => { const again = () => Promise.resolve().then(again); again(); return new Promise(() => {}); };
