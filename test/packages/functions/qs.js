import qs from 'qs';
export default () => [
  qs.parse('a[b][c]=1&d[]=2&d[]=3&e=%C3%A4&f[0]=x'),
  qs.stringify({ a: { b: [1, 2] }, c: null, d: 'ä' }, { arrayFormat: 'brackets', skipNulls: true }),
  qs.parse('?a=1;b=2', { ignoreQueryPrefix: true, delimiter: ';' }),
];
