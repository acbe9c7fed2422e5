export default async () => { for (let i = 0; ; i++) Symbol.for(`k${i}`); };
