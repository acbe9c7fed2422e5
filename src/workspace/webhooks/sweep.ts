import { limits } from '../../contract/index.ts';
import type { Tx } from '../door/tx.ts';

const { keptDeliveries, keptDays } = limits.webhooks;

/** Removes deliveries beyond what is kept, with their attempts; what is under way stays. */
export async function sweepDeliveries({ db, now }: Pick<Tx, 'db' | 'now'>): Promise<void> {
  const receivers = [
    ...(await db.selectFrom('endpoint').select('id').execute()),
    ...(await db.selectFrom('listener').select('id').execute()),
  ];
  for (const { id } of receivers) {
    const border = await db
      .selectFrom('delivery')
      .select('seq')
      .where('receiver_id', '=', id)
      .orderBy('seq', 'desc')
      .offset(keptDeliveries)
      .limit(1)
      .executeTakeFirst();
    await db
      .deleteFrom('delivery')
      .where('receiver_id', '=', id)
      .where('state', '!=', 'waiting')
      .where((eb) => eb.or([eb('seq', '<=', border?.seq ?? 0), eb('created_at', '<', now - keptDays * 86_400_000)]))
      .execute();
  }
}
