import { UsageError } from '../../std/index.ts';

/** A recipient: its line number in the file (the heading is 1) and its values by column. */
export interface CsvRow {
  readonly line: number;
  readonly values: Readonly<Record<string, string>>;
}

const mostRows = 1_000_000;

/**
 * Reads a table of recipients (RFC 4180; comma, semicolon or tab, as used in the heading). Empty lines are skipped.
 * @throws UsageError csv_invalid with the line
 */
export function parseCsv(text: string, shown: string): { columns: string[]; rows: CsvRow[] } {
  const records = recordsOf(text.replace(/^\ufeff/, ''), shown);
  const heading = records.shift();
  if (heading === undefined) throw broken(shown, 1, 'the file is empty');
  const columns = heading.fields.map((name) => name.trim());
  const names = new Set<string>();
  for (const name of columns) {
    if (name === '') throw broken(shown, 1, 'a column has no name');
    if (names.has(name)) throw broken(shown, 1, `two columns are named "${name}"`);
    if (name.includes('=')) throw broken(shown, 1, `the column "${name}" cannot be a variable: its name contains "="`);
    names.add(name);
  }
  if (records.length === 0) throw broken(shown, 2, 'it has no recipients');
  if (records.length > mostRows) throw broken(shown, mostRows + 2, `more than ${mostRows} recipients`);
  const rows = records.map(({ line, fields }) => {
    if (fields.length !== columns.length) {
      throw broken(
        shown,
        line,
        `the line has ${fields.length} values, but the heading has ${columns.length} columns`,
        quotingHint,
      );
    }
    const values: Record<string, string> = Object.create(null);
    for (const [i, name] of columns.entries()) values[name] = fields[i] ?? '';
    return { line, values };
  });
  return { columns, rows };
}

interface RawRecord {
  line: number;
  fields: string[];
}

function recordsOf(text: string, shown: string): RawRecord[] {
  const separator = separatorOf(text);
  const records: RawRecord[] = [];
  let fields: string[] = [];
  let field = '';
  let quoted = false;
  let afterQuote = false;
  let line = 1;
  let startedAt = 1;
  const endField = () => {
    fields.push(field);
    field = '';
    afterQuote = false;
  };
  const endRecord = () => {
    endField();
    if (fields.length > 1 || fields[0] !== '') records.push({ line: startedAt, fields });
    fields = [];
  };
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? '';
    if (char === '\n') line++;
    if (quoted) {
      if (char !== '"') field += char;
      else if (text[i + 1] === '"') {
        field += '"';
        i++;
      } else {
        quoted = false;
        afterQuote = true;
      }
    } else if (char === '"' && field === '' && !afterQuote) {
      quoted = true;
    } else if (char === separator) {
      endField();
    } else if (char === '\n' || char === '\r') {
      // Lines have three possible endings; old Mac files and some exports use a carriage return alone.
      if (char === '\r') {
        if (text[i + 1] === '\n') i++;
        line++;
      }
      endRecord();
      startedAt = line;
    } else if (afterQuote) {
      throw broken(shown, line, 'there is text after a closing quotation mark', quotingHint);
    } else {
      field += char;
    }
  }
  if (quoted) throw broken(shown, startedAt, 'a quotation mark is not closed', quotingHint);
  if (field !== '' || fields.length > 0 || afterQuote) endRecord();
  return records;
}

function separatorOf(text: string): string {
  const heading = text.slice(0, text.search(/[\r\n]|$/)).replace(/"[^"]*"/g, '');
  const counts = [',', ';', '\t'].map((separator) => ({ separator, count: heading.split(separator).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).separator;
}

const namingHint = 'The first line names the columns: "to" for the number, the others for the template’s variables.';
const quotingHint =
  'Nothing was sent. Put a value with the separator or a line break between quotation marks, and write a quotation mark in it twice: "Lee, ""Ann""".';

function broken(shown: string, line: number, why: string, hint = namingHint): UsageError {
  return new UsageError('csv_invalid', `${shown}: ${why}`, {
    hint,
    location: { file: shown, line },
  });
}
