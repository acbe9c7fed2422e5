export default async () => { let a = [1, 2]; for (let i = 0; i < 40; i++) a = [a, a]; return a; };
