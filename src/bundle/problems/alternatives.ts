/** Advice for popular packages that do not work in functions. */
const alternatives: Readonly<Record<string, string>> = {
  amqplib: 'Use the HTTP interface of the message broker.',
  argon2: 'Use scrypt of node:crypto.',
  bcrypt: 'Use bcryptjs, which has the same interface: npm install bcryptjs',
  'better-sqlite3': 'Keep data in sdk.store.',
  canvas: 'Make SVG, or let a service draw pictures, and call it with fetch.',
  dompurify: 'Use sanitize-html, which needs no page: npm install sanitize-html',
  'firebase-admin':
    'Firestore works without gRPC: getFirestore().settings({ preferRest: true }). So does firebase-admin/auth.',
  googleapis: 'Install the package of the one service instead, for example: npm install @googleapis/sheets',
  'happy-dom': 'Use linkedom, which makes documents without a browser: npm install linkedom',
  ioredis: 'Use a Redis with an HTTP interface: npm install @upstash/redis',
  'isomorphic-dompurify': 'Use sanitize-html, which needs no page: npm install sanitize-html',
  jsdom: 'Use linkedom, which makes documents without a browser: npm install linkedom',
  kafkajs: 'Use the HTTP interface of the message broker.',
  mongodb: 'Use an HTTP interface of the database.',
  mongoose: 'Use an HTTP interface of the database.',
  mysql2: 'Use an HTTP interface of the database: npm install @planetscale/database',
  nodemailer: 'Use the HTTP interface of a mail service: resend, postmark and @sendgrid/mail work.',
  'pdf-parse': 'Use unpdf, which reads PDF without a page: npm install unpdf',
  'pdfjs-dist': 'Use unpdf, which reads PDF without a page: npm install unpdf',
  pg: 'Use an HTTP interface of the database: npm install @neondatabase/serverless',
  redis: 'Use a Redis with an HTTP interface: npm install @upstash/redis',
  'rss-parser': 'Get the feed with fetch, and hand its text to parseString.',
  sharp: 'Let a service change pictures, and call it with fetch. jimp works for small ones.',
  'sql.js': 'Import its build without WebAssembly: sql.js/dist/sql-asm.js',
  sqlite3: 'Keep data in sdk.store.',
  tiktoken: 'Use js-tiktoken, which has the same interface: npm install js-tiktoken',
};

export function alternativeTo(name: string): string | undefined {
  return Object.hasOwn(alternatives, name) ? alternatives[name] : undefined;
}
