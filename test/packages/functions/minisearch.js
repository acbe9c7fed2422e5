import MiniSearch from 'minisearch';
export default () => {
  const index = new MiniSearch({
    fields: ['title', 'text'],
    storeFields: ['title'],
    searchOptions: { boost: { title: 2 } },
  });
  index.addAll([
    { id: 1, title: 'Returns', text: 'How to send things back' },
    { id: 2, title: 'Delivery', text: 'When things arrive' },
    { id: 3, title: 'Größen', text: 'Welche passt' },
  ]);
  index.discard(2);
  return [
    index.search('retrns', { fuzzy: 0.3 }).map(({ id, title }) => [id, title]),
    index.search('größ', { prefix: true }).map(({ id }) => id),
    index.autoSuggest('thi').map(({ suggestion }) => suggestion),
    MiniSearch.loadJSON(JSON.stringify(index), { fields: ['title', 'text'] }).documentCount,
  ];
};
