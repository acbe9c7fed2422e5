import { z } from 'zod';
import { appName, functionName } from '../shapes/common.ts';
import { json } from '../shapes/json.ts';

const name = z
  .string()
  .regex(/^[A-Za-z0-9_][\w.-]{0,99}$/, 'must begin with a letter or digit, and may have letters, digits, _ . and -');

export const fixtureShapes = {
  'fixtures.list': {
    input: z.strictObject({ app: appName, function: functionName }),
    output: z.object({ items: z.array(z.object({ name: z.string(), input: json })) }),
  },
  'fixtures.save': {
    input: z.strictObject({ app: appName, function: functionName, name, input: json }),
    output: z.object({ file: z.string().describe('Path of the file below the app’s folder') }),
  },
} as const;
