import type { Output } from '../../contract/index.ts';
import { about, useQuery } from './app.ts';

type Listed = Output<'aiAgentRuns.list'>['items'][number];

/** What a run is called: its agent, or the harness alone. */
export const titleOf = ({ agent, harness }: Listed, titles: ReadonlyMap<string, string>): string =>
  agent === null ? harness.name : (titles.get(agent) ?? agent);

/** The name of the customer of a run; undefined without one. */
export function useCustomerName(customerId: string | null): string | undefined {
  const customer = useQuery(
    'customers.get',
    customerId === null ? undefined : { id: customerId as never },
    about(/^customer\./),
  )?.data.value;
  return customer && (customer.name ?? customer.phone ?? customer.email ?? undefined);
}
