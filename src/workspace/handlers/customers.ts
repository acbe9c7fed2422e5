import type { Selectable } from 'kysely';
import { type Output, refusal } from '../../contract/index.ts';
import { newId, toTimestamp } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import { etagOfContent } from '../door/etag.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import { emailOf, phoneOf, tryEmail, tryPhone } from '../identity.ts';
import { pageBy } from '../lists/page.ts';
import { holds } from '../lists/search.ts';
import type { HandlersOf } from './index.ts';
import { mergedFields } from './merged-fields.ts';

type CustomerRow = Selectable<Tables['customer']>;
type Customer = Output<'customers.get'>;

/** The normalised identity of a customer. */
export interface Identity {
  readonly phone?: string;
  readonly email?: string;
}

export const customerHandlers: HandlersOf<'customers'> = {
  async 'customers.list'(input, tx) {
    const search = input.search === undefined ? undefined : await searchOf(input.search);
    const page = await pageBy(
      tx,
      'customers.list',
      input,
      tx.db
        .selectFrom('customer')
        .selectAll()
        .$if(search !== undefined, (query) =>
          query.where((eb) =>
            eb.or([
              holds('name', search?.text ?? ''),
              holds('email', search?.text ?? ''),
              holds('phone', search?.digits ?? ''),
            ]),
          ),
        ),
      { by: 'created_at', desc: true },
    );
    return { items: page.rows.map(customerOf), nextCursor: page.nextCursor };
  },

  async 'customers.find'(input, tx) {
    const row = await findCustomer(tx, await identityOf(input));
    if (row === undefined) throw refusal('customer_not_found');
    return customerOf(row);
  },

  async 'customers.get'({ id }, tx) {
    return customerOf(await customerRow(tx, id));
  },

  async 'customers.findOrCreate'(input, tx) {
    const { row, created } = await findOrCreateCustomer(tx, await identityOf(input), input);
    return { ...customerOf(row), created };
  },

  async 'customers.update'({ id, ...changes }, tx) {
    const before = await customerRow(tx, id);
    tx.requireVersion(etagOfContent(customerOf(before)));
    const after: CustomerRow = {
      ...before,
      name: changes.name === undefined ? before.name : changes.name,
      language: changes.language === undefined ? before.language : changes.language,
      phone: typeof changes.phone === 'string' ? await phoneOf(changes.phone) : (changes.phone ?? before.phone),
      email: typeof changes.email === 'string' ? emailOf(changes.email) : (changes.email ?? before.email),
      fields: changes.fields === undefined ? before.fields : mergedFields(before.fields, changes.fields),
    };
    if (changes.phone === null) after.phone = null;
    if (changes.email === null) after.email = null;
    await refuseTaken(tx, after);
    return saveCustomer(tx, before, after);
  },
};

/** Normalises the phone number or e-mail address that identifies a customer. @throws WorkspaceError recipient_invalid */
export async function identityOf(input: { phone?: string | undefined; email?: string | undefined }): Promise<Identity> {
  return {
    ...(input.phone === undefined ? {} : { phone: await phoneOf(input.phone) }),
    ...(input.email === undefined ? {} : { email: emailOf(input.email) }),
  };
}

/** @throws WorkspaceError customer_ambiguous when phone and e-mail belong to different customers */
export async function findCustomer(tx: Tx, identity: Identity): Promise<CustomerRow | undefined> {
  const rows = await tx.db
    .selectFrom('customer')
    .selectAll()
    .where((eb) =>
      eb.or([
        ...(identity.phone === undefined ? [] : [eb('phone', '=', identity.phone)]),
        ...(identity.email === undefined ? [] : [eb('email', '=', identity.email)]),
      ]),
    )
    .execute();
  if (rows.length > 1) {
    throw refusal('customer_ambiguous', undefined, { details: { customerIds: rows.map((row) => row.id).sort() } });
  }
  return rows[0];
}

/** Finds the customer with this identity or creates it from the given fields; an existing one stays unchanged. */
export async function findOrCreateCustomer(
  tx: Tx,
  identity: Identity,
  given: {
    name?: string | undefined;
    language?: string | undefined;
    fields?: Record<string, unknown> | undefined;
  },
): Promise<{ row: CustomerRow; created: boolean }> {
  const found = await findCustomer(tx, identity);
  if (found !== undefined) return { row: found, created: false };
  const row: CustomerRow = {
    id: newId('cus', tx.now),
    name: given.name ?? null,
    phone: identity.phone ?? null,
    email: identity.email ?? null,
    language: given.language ?? null,
    fields: mergedFields('{}', given.fields ?? {}),
    created_at: tx.now,
    updated_at: tx.now,
  };
  await tx.db.insertInto('customer').values(row).execute();
  await tx.announce({ type: 'customer.created', data: { customer: customerOf(row) } });
  return { row, created: true };
}

export async function customerRow(tx: Tx, id: string): Promise<CustomerRow> {
  const row = await tx.db.selectFrom('customer').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw refusal('customer_not_found', `There is no customer ${id}`);
  return row;
}

export function customerOf(row: CustomerRow): Customer {
  return {
    id: row.id,
    name: row.name,
    phone: row.phone,
    email: row.email,
    language: row.language,
    fields: fromJson<Customer['fields']>(row.fields),
    createdAt: toTimestamp(row.created_at),
    updatedAt: toTimestamp(row.updated_at),
  };
}

async function refuseTaken(tx: Tx, customer: CustomerRow): Promise<void> {
  if (customer.phone === null && customer.email === null) {
    throw refusal(
      'recipient_invalid',
      'A customer is identified by a phone number or an e-mail address: one of them must remain',
    );
  }
  const other = await tx.db
    .selectFrom('customer')
    .select('id')
    .where('id', '!=', customer.id)
    .where((eb) => eb.or([eb('phone', '=', customer.phone), eb('email', '=', customer.email)]))
    .executeTakeFirst();
  if (other !== undefined) throw refusal('customer_exists', undefined, { details: { customerId: other.id } });
}

async function saveCustomer(tx: Tx, before: CustomerRow, after: CustomerRow): Promise<Customer> {
  const old = customerOf(before);
  const changed = changedFields(old, customerOf(after));
  if (changed.length === 0) return old;
  const row = { ...after, updated_at: tx.now };
  await tx.db.updateTable('customer').set(row).where('id', '=', row.id).execute();
  const customer = customerOf(row);
  const previous = Object.fromEntries(changed.map((name) => [name, old[name]]));
  await tx.announce({ type: 'customer.updated', data: { customer }, previous });
  return customer;
}

function changedFields(before: Customer, after: Customer): (keyof Customer)[] {
  const names = Object.keys(before) as (keyof Customer)[];
  return names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

async function searchOf(search: string): Promise<{ text: string; digits: string }> {
  const text = (await tryPhone(search)) ?? tryEmail(search) ?? search;
  const digits = search.replace(/\D/g, '');
  return { text, digits: digits.length >= 3 ? digits : text };
}
