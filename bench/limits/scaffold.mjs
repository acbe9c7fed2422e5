// The limit of scaffolding: one process that writes eight small files. Usage: node scaffold.mjs FOLDER
import { mkdirSync, writeFileSync } from 'node:fs';

const folder = process.argv[2];
mkdirSync(`${folder}/functions`, { recursive: true });
mkdirSync(`${folder}/test`);
const files = [
  'package.json',
  'jsconfig.json',
  '.gitignore',
  'README.md',
  'fn.config.json',
  'seed.json',
  'functions/hello.js',
  'test/hello.test.js',
];
for (const file of files) writeFileSync(`${folder}/${file}`, `${file}\n`.repeat(40));
