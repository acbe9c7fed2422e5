import parsePhoneNumber, { AsYouType, findPhoneNumbersInText, isValidPhoneNumber } from 'libphonenumber-js';
export default () => {
  const number = parsePhoneNumber('089 123456', 'DE');
  return [
    number.number,
    number.formatInternational(),
    number.country,
    number.isValid(),
    isValidPhoneNumber('+49 1', 'DE'),
    new AsYouType('US').input('2133734253'),
    findPhoneNumbersInText('Call +1 213 373 4253 or 030 901820', 'DE').map((found) => found.number.number),
  ];
};
