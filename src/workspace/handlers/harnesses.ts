import { limits, refusal } from '../../contract/index.ts';
import { newSigningSecret, toTimestamp } from '../../std/index.ts';
import { fromJson } from '../door/tx.ts';
import {
  builtInName,
  harnessOf,
  harnessSecrets,
  insertHarness,
  requireAddress,
  requireFreeName,
  requireHarness,
} from '../harnesses/harnesses.ts';
import { requireModuleRight } from '../harnesses/modules.ts';
import { pageBy } from '../lists/page.ts';
import { putOwnerSecret, removeOwnerSecrets } from '../owner-secrets.ts';
import { requireSigningSecret } from '../signing-secret.ts';
import type { HandlersOf } from './index.ts';

export const harnessHandlers: HandlersOf<'harnesses'> = {
  async 'harnesses.list'(input, tx) {
    const page = await pageBy(tx, 'harnesses.list', input, tx.db.selectFrom('harness').selectAll(), {
      by: 'created_at',
    });
    const items = await Promise.all(page.rows.map((row) => harnessOf(tx, row)));
    return { items, nextCursor: page.nextCursor };
  },

  async 'harnesses.show'({ id }, tx) {
    return harnessOf(tx, await requireHarness(tx, id));
  },

  async 'harnesses.add'(input, tx, caller) {
    requireModuleRight(caller, [input]);
    const makes = input.kind === 'custom' && input.unsigned !== true && input.secret === undefined;
    const made = makes ? newSigningSecret() : undefined;
    const row = await insertHarness(tx, { ...input, ...(made !== undefined && { secret: made }) });
    return { ...(await harnessOf(tx, row)), secret: made ?? null };
  },

  async 'harnesses.update'({ id, name, apiKey, ...given }, tx, caller) {
    requireModuleRight(caller, [given]);
    const row = await requireHarness(tx, id);
    if (name !== undefined && name !== row.name) {
      if (row.name === builtInName) throw refusal('harness_exists', `${builtInName} keeps its name`);
      await requireFreeName(tx, name);
    }
    const isCustom = row.kind === 'custom';
    const foreign = isCustom ? 'baseUrl' : 'endpoint';
    const address = isCustom ? given.endpoint : given.baseUrl;
    if (given[foreign] !== undefined)
      throw refusal('harness_address_invalid', `A harness of the kind ${row.kind} has no ${foreign}`, {
        errors: [{ path: foreign, message: `belongs to other kinds than ${row.kind}` }],
      });
    if (given.module !== undefined && row.kind !== 'agent-framework')
      throw refusal('harness_module_invalid', `A harness of the kind ${row.kind} has no module`, {
        errors: [{ path: 'module', message: 'belongs to the kind agent-framework' }],
      });
    const changed = {
      ...row,
      name: name ?? row.name,
      provider: given.provider ?? row.provider,
      address: address === undefined ? row.address : requireAddress(address, isCustom ? 'endpoint' : 'baseUrl'),
      module: given.module ?? row.module,
      models:
        given.models === undefined ? row.models : JSON.stringify({ ...fromJson<object>(row.models), ...given.models }),
      signed_replies:
        given.requireSignedReplies === undefined ? row.signed_replies : given.requireSignedReplies ? 1 : 0,
      updated_at: tx.now,
    };
    const { id: own, ...columns } = changed;
    await tx.db.updateTable('harness').set(columns).where('id', '=', own).execute();
    if (apiKey === null) {
      await tx.db.deleteFrom('secret').where('app', '=', own).where('name', '=', harnessSecrets.key).execute();
    } else if (apiKey !== undefined) await putOwnerSecret(tx, own, harnessSecrets.key, apiKey);
    return harnessOf(tx, changed);
  },

  async 'harnesses.remove'({ id }, tx) {
    const row = await requireHarness(tx, id);
    if (row.name === builtInName)
      throw refusal('harness_built_in', `${builtInName} cannot be removed`, {
        hint: `It needs no key. Change it with fn harness update ${builtInName}.`,
      });
    await removeOwnerSecrets(tx, row.id);
    await tx.db.deleteFrom('harness').where('id', '=', row.id).execute();
    return {};
  },

  async 'harnesses.rotateSecret'({ id, secret = newSigningSecret() }, tx) {
    const row = await requireHarness(tx, id);
    if (row.kind !== 'custom' || row.signed === 0)
      throw refusal('harness_unsigned', `Requests of ${row.name} are not signed`, {
        hint:
          row.kind === 'custom' ? undefined : `Its key is changed with fn harness update ${row.name} --secret-stdin.`,
      });
    requireSigningSecret(secret);
    const known = await tx.db
      .selectFrom('secret')
      .select('value')
      .where('app', '=', row.id)
      .where('name', '=', harnessSecrets.current)
      .executeTakeFirst();
    const until = known === undefined ? null : tx.now + limits.agents.oldSecretHours * 3_600_000;
    if (known !== undefined) await putOwnerSecret(tx, row.id, harnessSecrets.old, known.value);
    await putOwnerSecret(tx, row.id, harnessSecrets.current, secret);
    await tx.db
      .updateTable('harness')
      .set({ old_secret_until: until, updated_at: tx.now })
      .where('id', '=', row.id)
      .execute();
    return { id: row.id, secret, oldSecretUntil: until === null ? null : toTimestamp(until) };
  },
};
