import { generateSchemas } from './generate/schema-files.ts';
import { writeGenerated } from './generate/write.ts';

for (const path of await writeGenerated(await generateSchemas())) console.log(path);
