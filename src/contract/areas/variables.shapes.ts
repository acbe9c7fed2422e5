import { z } from 'zod';
import { appName, done, listOf, page, secretName, timestamp } from '../shapes/common.ts';
import { json } from '../shapes/json.ts';

const Variable = z.object({ name: z.string(), value: json, updatedAt: timestamp });

export const variableShapes = {
  'vars.list': { input: z.strictObject({ ...page, app: appName }), output: listOf(Variable) },
  'vars.get': { input: z.strictObject({ app: appName, name: secretName }), output: Variable },
  'vars.set': { input: z.strictObject({ app: appName, name: secretName, value: json }), output: Variable },
  'vars.delete': { input: z.strictObject({ app: appName, name: secretName }), output: done },
} as const;
