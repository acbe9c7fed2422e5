import validator from 'validator';
export default () => [
  validator.isEmail('ann@example.com'),
  validator.isIBAN('DE89370400440532013000'),
  validator.isMobilePhone('+4915123456789', 'de-DE'),
  validator.isURL('http://x'),
  validator.escape('<a>&'),
  validator.normalizeEmail('A.nn+x@GMail.com'),
  validator.isCreditCard('4111111111111111'),
  validator.isPostalCode('80331', 'DE'),
];
