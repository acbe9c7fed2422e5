import { Decimal } from 'decimal.js';
export default () => [
  new Decimal('0.1').plus('0.2').toString(),
  Decimal.sqrt(2).toString(),
  new Decimal(2).pow('0.5').toSD(30).toString(),
  Decimal.exp(1).toFixed(15),
  new Decimal('0xff').toBinary(),
];
