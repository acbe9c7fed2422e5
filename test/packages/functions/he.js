import * as he from 'he';
export default () => [
  he.encode('foo © bar ≠ 𝌆', { useNamedReferences: true }),
  he.decode('&copy; &#x1D306; &amp;lt &notin;'),
  he.escape('<a href="x">'),
];
