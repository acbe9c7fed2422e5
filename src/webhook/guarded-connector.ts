import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import { type AddressKind, addressKind } from '../std/index.ts';

/**
 * Which addresses may be connected to. `public`: those of the internet. `loopback`: this machine as well, and over http nothing else.
 * `any`: what a developer has named on their own machine, such as a container's address.
 */
export type Reach = 'public' | 'loopback' | 'any';

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** A name leads to addresses that may not be connected to. */
export class AddressRefused extends Error {
  constructor(hostname: string, address: string, kind: AddressKind) {
    const what = hostname === address ? hostname : `${hostname} leads to ${address}, which`;
    super(
      kind === 'public' ? `${what} is not this machine, and http is only for this machine` : `${what} is ${a(kind)}`,
    );
  }
}

const a = (kind: AddressKind): string => `${kind === 'unspecified' ? 'an' : 'a'} ${kind} address`;

/**
 * Connects to the very addresses that were checked: a name is resolved once for each connection, so that no second answer of its name server
 * can lead elsewhere.
 */
export function guardedConnector(
  build: typeof buildConnector,
  options: buildConnector.BuildOptions,
  { reach, resolve = resolveByMachine }: { readonly reach: Reach; readonly resolve?: Resolve | undefined },
): buildConnector.connector {
  const { isIP } = process.getBuiltinModule('node:net');
  const connectors = new Map(
    (['https:', 'http:'] as const).map((protocol) => {
      const lookup = guardedLookup(reach, protocol, resolve);
      // The types of undici leave out what it hands on to net.connect.
      return [protocol as string, build({ ...options, lookup } as buildConnector.BuildOptions)];
    }),
  );
  return (target, done) => {
    const connect = connectors.get(target.protocol);
    if (connect === undefined) return done(new Error(`${target.protocol} is neither https nor http`), null);
    // No name, no lookup.
    if (isIP(target.hostname) !== 0) {
      const refused = refusalOf(target.hostname, [target.hostname], reach, target.protocol);
      if (refused) return done(refused, null);
    }
    connect(target, done);
  };
}

function guardedLookup(reach: Reach, protocol: string, resolve: Resolve): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname).then(
      (found) => {
        const usable = found.filter(({ address }) => isReachable(addressKind(address), reach, protocol));
        const [first] = usable;
        if (first === undefined) {
          const addresses = found.map(({ address }) => address);
          return done(refusalOf(hostname, addresses, reach, protocol) ?? notFound(hostname), []);
        }
        if (options.all) done(null, usable as LookupAddress[]);
        else done(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => done(error, []),
    );
  };
}

function refusalOf(
  hostname: string,
  addresses: readonly string[],
  reach: Reach,
  protocol: string,
): AddressRefused | undefined {
  for (const address of addresses) {
    const kind = addressKind(address);
    if (!isReachable(kind, reach, protocol)) return new AddressRefused(hostname, address, kind);
  }
  return undefined;
}

function isReachable(kind: AddressKind, reach: Reach, protocol: string): boolean {
  if (reach === 'any') return true;
  if (kind === 'loopback') return reach === 'loopback';
  return kind === 'public' && protocol === 'https:';
}

function notFound(hostname: string): Error {
  return Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND', hostname });
}

async function resolveByMachine(hostname: string): Promise<LookupAddress[]> {
  return await process.getBuiltinModule('node:dns').promises.lookup(hostname, { all: true, verbatim: true });
}
