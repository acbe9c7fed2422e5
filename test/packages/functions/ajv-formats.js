import Ajv from 'ajv';
import addFormats from 'ajv-formats';

const ajv = addFormats(new Ajv());
export default () =>
  ['email', 'date-time', 'uri', 'uuid', 'ipv6'].map((format) => [
    format,
    ajv.validate({ type: 'string', format }, 'ann@example.com'),
    ajv.validate({ type: 'string', format }, '2026-01-02T03:04:05Z'),
    ajv.validate({ type: 'string', format }, '::1'),
  ]);
