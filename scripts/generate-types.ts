import { generateTypes } from './generate/types.ts';
import { writeGenerated } from './generate/write.ts';

for (const path of await writeGenerated(await generateTypes())) console.log(path);
