import { generateAll } from './generate/all.ts';
import { writeGenerated } from './generate/write.ts';

// Types, editor schemas and reference, from the contract. A test fails when they are stale.
for (const path of await writeGenerated(await generateAll())) console.log(path);
