import type { Output } from '../../../contract/index.ts';
import type { EmulatorDoor } from '../../door.ts';
import { nameOf, type ViewData } from '../../pages/index.ts';

type Conversation = Output<'conversations.get'>;
type Choices = Pick<ViewData, 'choices' | 'chosen'>;

const mostChoices = 50;

/** The conversations or customers to show a view with, and the selected one: the newest ones, and the one in the page's address, however old. */
export function choicesOf(
  door: EmulatorDoor,
  placement: ViewData['placement'],
  asked: URLSearchParams,
): Promise<Choices> {
  return placement === 'customer'
    ? customerChoices(door, asked.get('customer'))
    : conversationChoices(door, asked.get('conversation'));
}

async function customerChoices(door: EmulatorDoor, id: string | null): Promise<Choices> {
  const { items } = await door('customers.list', { limit: mostChoices });
  const asked = await found(items, id, (one) => door('customers.get', { id: one }));
  const choiceFor = (customer: { id: string }) => `customer=${customer.id}`;
  return {
    choices: withAsked(items, asked).map((customer) => ({ value: choiceFor(customer), label: nameOf(customer) })),
    chosen: asked && choiceFor(asked),
  };
}

async function conversationChoices(door: EmulatorDoor, id: string | null): Promise<Choices> {
  const { items } = await door('conversations.list', { inbox: 'all', limit: mostChoices });
  const asked = await found<Conversation>(items, id, (one) => door('conversations.get', { id: one }));
  const choiceFor = (conversation: { id: string }) => `conversation=${conversation.id}`;
  const choices = [];
  for (const conversation of withAsked<Conversation>(items, asked)) {
    const name = nameOf(await door('customers.get', { id: conversation.customerId }));
    choices.push({ value: choiceFor(conversation), label: `${name} · ${conversation.id.slice(-6)}` });
  }
  return { choices, chosen: asked && choiceFor(asked) };
}

/** The requested object; undefined if it no longer exists. */
async function found<T extends { readonly id: string }>(
  items: readonly T[],
  id: string | null,
  get: (id: string) => Promise<T>,
): Promise<T | undefined> {
  if (!id) return undefined;
  return items.find((item) => item.id === id) ?? (await get(id).catch(() => undefined));
}

const withAsked = <T>(items: readonly T[], asked: T | undefined): readonly T[] =>
  asked === undefined || items.includes(asked) ? items : [asked, ...items];
