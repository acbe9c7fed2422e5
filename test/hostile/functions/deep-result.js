export default async () => { let a = []; for (let i = 0; i < 5_000; i++) a = [a]; return a; };
