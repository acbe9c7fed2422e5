// Made by "npm run generate". Do not edit.
export type * from './index.d.ts' with { 'resolution-mode': 'import' };
