export default async () => { const again = () => Promise.resolve().then(again); (async () => { for (let i = 0; i < 50; i++) await null; again(); })(); return 'ended'; };
