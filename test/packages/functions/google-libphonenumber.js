import lib from 'google-libphonenumber';

const { PhoneNumberFormat, PhoneNumberUtil, AsYouTypeFormatter } = lib;
export default () => {
  const util = PhoneNumberUtil.getInstance();
  const number = util.parseAndKeepRawInput('0171 1234567', 'DE');
  const typed = new AsYouTypeFormatter('US');
  return [
    util.format(number, PhoneNumberFormat.E164),
    util.isValidNumber(number),
    util.getNumberType(number),
    [...'2025550123'].map((digit) => typed.inputDigit(digit)).at(-1),
    util.isPossibleNumberString('12', 'DE'),
  ];
};
