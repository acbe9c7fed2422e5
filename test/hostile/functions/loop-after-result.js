// The result is given; what still runs in that turn is the function's time, too.
export default async () => { (async () => { for (let i = 0; i < 50; i++) await null; for (;;) {} })(); return 'ended'; };
