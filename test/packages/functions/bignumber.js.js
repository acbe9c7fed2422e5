import BigNumber from 'bignumber.js';
export default () => [
  new BigNumber('123456789.123456789').times('987654321.987654321').toFormat(),
  new BigNumber(1).div(3).toFixed(25),
  new BigNumber('ff', 16).toString(2),
];
