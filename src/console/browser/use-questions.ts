import type { Output } from '../../contract/index.ts';
import { about, useQuery } from './app.ts';

type Question = Output<'confirmations.list'>['items'][number];

/** The calls of tools that wait for a person, of all conversations and of none. */
export function useQuestions(): readonly Question[] {
  const open = useQuery('confirmations.list', { open: true as never, limit: 200 }, about(/^confirmation\./))?.data
    .value;
  return open?.items.filter(({ by }) => by === 'human') ?? [];
}
