export default async () => { for (;;) {} };
