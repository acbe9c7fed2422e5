import {
  type Caller,
  type CallOptions,
  type Input,
  limits,
  type Output,
  type ParsedInput,
  refusal,
} from '../../contract/index.ts';
import { toTimestamp } from '../../std/index.ts';
import type { DoorOfState } from '../door/door.ts';
import type { Tx } from '../door/tx.ts';
import type { FileStore } from '../files/files.ts';
import type { DeploymentsDoor, LiveRelease } from '../types.ts';
import { collect, deploymentRow, liveRow, manifestOf } from './rows.ts';
import { apply, planActivate, planRollback, type Switch } from './switch.ts';

/** The caller for reading and writing files, once the scope has been checked. */
const machine: Caller = { type: 'system', id: null, scopes: ['read', 'deploy'] };

/** Deployed files by hash, and the switch from one release to another. */
export class Deployments implements Omit<DeploymentsDoor, 'apps'> {
  readonly #door: DoorOfState;
  readonly #files: FileStore;

  constructor(door: DoorOfState, files: FileStore) {
    this.#door = door;
    this.#files = files;
  }

  async putFile(
    input: ParsedInput<'deployments.putFile'>,
    body: AsyncIterable<Uint8Array>,
  ): Promise<Output<'deployments.putFile'>> {
    const { app, id, sha256 } = input;
    const announced = await this.#read(input, async (tx) => {
      const row = await deploymentRow(tx, app, id);
      if (row.state === 'expired' || (row.state === 'open' && row.expires_at <= tx.now))
        throw refusal('deployment_expired');
      return tx.db
        .selectFrom('deployment_file')
        .select('bytes')
        .where('deployment_id', '=', row.id)
        .where('sha256', '=', sha256)
        .executeTakeFirst();
    });
    if (announced === undefined) throw refusal('file_unexpected', `${id} does not name the file ${sha256}`);
    const mismatch = () => refusal('file_hash_mismatch', `The bytes do not have the hash ${sha256}`);
    const kept = await this.#files.receive(body, {
      mostBytes: Math.min(announced.bytes, limits.deployment.fileBytes),
      tooLarge: () => refusal('body_too_large', `${sha256} was announced with ${announced.bytes} bytes; more came`),
      ends: (whole) => {
        if (whole.sha256 !== sha256) throw mismatch();
      },
    });
    await this.#door.perform('deployments.putFile', input, machine, {}, async (tx) => {
      await tx.db
        .insertInto('blob')
        .values({ sha256, bytes: kept.bytes, kept_from: tx.now })
        .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ kept_from: tx.now }))
        .execute();
    });
    return kept;
  }

  async getFile({ app, id, sha256 }: ParsedInput<'deployments.getFile'>): Promise<Uint8Array> {
    const found = await this.#read({ app, id, sha256 }, async (tx) => {
      const row = await deploymentRow(tx, app, id);
      return tx.db
        .selectFrom('deployment_file')
        .select('sha256')
        .where('deployment_id', '=', row.id)
        .where('sha256', '=', sha256)
        .executeTakeFirst();
    });
    if (found === undefined) throw refusal('file_not_found', `${id} has no file ${sha256}`);
    return this.blob(sha256);
  }

  async activate(
    input: Input<'deployments.activate'>,
    caller: Caller,
    options: CallOptions = {},
  ): Promise<Output<'deployments.activate'>> {
    const parsed = await this.#door.check('deployments.activate', input, caller);
    const done = await this.#door.perform('deployments.activate', parsed, caller, options, async (tx) =>
      apply(tx, await planActivate(tx, parsed, options.ifMatch)),
    );
    // The deployment is live: if collecting fails now, the next activation does it.
    await this.#collect(parsed.app).catch(() => {});
    return done;
  }

  async rollback(
    input: Input<'deployments.rollback'>,
    caller: Caller,
    options: CallOptions = {},
  ): Promise<Output<'deployments.rollback'>> {
    const parsed = await this.#door.check('deployments.rollback', input, caller);
    return this.#door.perform('deployments.rollback', parsed, caller, options, async (tx) =>
      apply(tx, await planRollback(tx, parsed)),
    );
  }

  async planActivate(input: ParsedInput<'deployments.activate'>, { ifMatch }: CallOptions) {
    return idOf(await this.#read(input, (tx) => planActivate(tx, input, ifMatch), ifMatch));
  }

  async planRollback(input: ParsedInput<'deployments.rollback'>, { ifMatch }: CallOptions) {
    return idOf(await this.#read(input, (tx) => planRollback(tx, input), ifMatch));
  }

  async live(app: string): Promise<LiveRelease | undefined> {
    const row = await this.#read({ app }, (tx) => liveRow(tx, app));
    if (row === undefined) return undefined;
    const { id, fingerprint, activated_at } = row;
    return {
      id,
      app,
      fingerprint,
      activatedAt: toTimestamp(activated_at ?? row.created_at),
      manifest: manifestOf(row),
    };
  }

  blob(sha256: string): Promise<Uint8Array> {
    return this.#files.read(sha256);
  }

  /** Deletes expired deployments, those too old to roll back to, and files that no deployment names. */
  async #collect(app: string): Promise<void> {
    await this.#door.perform('deployments.putFile', {}, machine, {}, async (tx) => {
      const unnamed = await collect(tx, app);
      tx.afterCommit(() => {
        for (const sha256 of unnamed) this.#files.remove(sha256);
      });
    });
  }

  #read<T>(input: object, work: (tx: Tx) => Promise<T>, ifMatch?: string): Promise<T> {
    return this.#door.perform('deployments.getFile', input, machine, ifMatch === undefined ? {} : { ifMatch }, work);
  }
}

/** The deployment id of a switch that changes something. */
const idOf = ({ row, live }: Switch) => (row.id === live?.id ? undefined : row.id);
