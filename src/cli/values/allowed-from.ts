import { UsageError } from '../../std/index.ts';

/** A host name, also from a URL as shown by a tunnel. @throws UsageError flag_invalid */
export function hostName(given: string): string {
  const address = /^https?:\/\//i.test(given) ? given : `http://${given}`;
  const name = URL.canParse(address) ? new URL(address).hostname : '';
  if (/^(?:\w[\w.-]*|\[[\d.:a-f]+\])$/.test(name)) return name;
  throw new UsageError('flag_invalid', `--allow-host: "${given.slice(0, 60)}" is not the name of a host`, {
    hint: 'Give the full name: --allow-host desk.tunnel.example',
  });
}

/** An origin as sent by browsers, also from the URL of a page. @throws UsageError flag_invalid */
export function pageOrigin(given: string): string {
  if (given.includes('*')) {
    throw new UsageError(
      'flag_invalid',
      `--allow-origin: "${given.slice(0, 60)}" has a wildcard, which matches nothing`,
      {
        hint: 'Give each origin in full: --allow-origin https://shop.example --allow-origin https://www.shop.example',
      },
    );
  }
  if (given === 'null') return given; // what pages from files and in sandboxed frames send
  if (/^https?:\/\//i.test(given) && URL.canParse(given)) return new URL(given).origin;
  if (/^[a-z][a-z\d+.-]*:\/\/[^/\s]+$/i.test(given)) return given; // that of a browser's extension
  throw new UsageError('flag_invalid', `--allow-origin: "${given.slice(0, 60)}" is not an origin`, {
    hint: 'An origin begins with its scheme: --allow-origin https://shop.example',
  });
}
