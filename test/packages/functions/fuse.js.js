import Fuse from 'fuse.js';

const books = [
  { title: "Old Man's War", by: 'Scalzi' },
  { title: 'The Lock Artist', by: 'Hamilton' },
  { title: 'HTML5', by: 'Sharp' },
];
export default () =>
  new Fuse(books, { keys: ['title', { name: 'by', weight: 2 }], includeScore: true, threshold: 0.4 })
    .search('hamiton')
    .map(({ item, score }) => [item.title, score.toFixed(6)]);
