import currency from 'currency.js';
export default () => [
  currency(0.1).add(0.2).value,
  currency('1.234,56 €', { separator: '.', decimal: ',', symbol: '€', pattern: '# !' }).multiply(2).format(),
  currency(10).distribute(3).map(String),
  currency('(12.50)').intValue,
];
