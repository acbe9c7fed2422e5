import { z } from 'zod';
import { id } from '../shapes/common.ts';

const name = z
  .string()
  .regex(/^[A-Za-z0-9][\w-]{0,99}$/, 'must begin with a letter or digit, and may have letters, digits, _ and -')
  .describe('Name of the file below test/, without .test.js');

export const testShapes = {
  'tests.save': {
    input: z.strictObject({ conversationId: id('cnv'), name }),
    output: z.object({ file: z.string().describe('Path of the file below the app’s folder') }),
  },
} as const;
