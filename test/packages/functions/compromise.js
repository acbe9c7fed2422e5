import nlp from 'compromise';
export default () => {
  const doc = nlp('Jane bought three apples in Berlin yesterday. Does she like them?');
  return [
    doc.people().out('array'),
    doc.places().out('array'),
    doc.sentences().toFutureTense().text(),
    doc.questions().out('array'),
    doc.numbers().out('array'),
  ];
};
