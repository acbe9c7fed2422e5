import * as yaml from 'js-yaml';
export default () => {
  let refused;
  try {
    yaml.load('a: [1');
  } catch (error) {
    refused = [error.name, error.reason];
  }
  return [yaml.load('a: 1\nb: [x, {y: null}]\nc: 0x1f'), yaml.dump({ a: [1, 'two'], b: { c: null } }), refused];
};
