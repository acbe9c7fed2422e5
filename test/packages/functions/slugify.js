import slugify from 'slugify';
export default () => [
  slugify('Größe & Maß — ½ €', { lower: true }),
  slugify('a.b c', { remove: /[.]/g, replacement: '_' }),
  slugify('Привет мир', { strict: true }),
];
