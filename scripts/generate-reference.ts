import { generateReference } from './generate/reference.ts';
import { writeGenerated } from './generate/write.ts';

for (const path of await writeGenerated(await generateReference())) console.log(path);
