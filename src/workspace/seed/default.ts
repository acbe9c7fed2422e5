import type { Seed } from '../../contract/shapes/index.ts';
import { defaultCustomers } from './default-customers.ts';
import { defaultTemplates } from './default-templates.ts';

/** A workspace without channels cannot send anything, so a seed that does not mention channels gets the default ones. */
export function seedOfBeginning(given: Seed | undefined): Seed {
  const usual = defaultSeed();
  return given === undefined ? usual : { ...(usual.channels && { channels: usual.channels }), ...given };
}

/**
 * A plausible small company: a coffee roastery in Hamburg with a web shop and a café. Its phone numbers are reserved for
 * fiction by the authorities; its addresses end in .example.
 */
export function defaultSeed(): Seed {
  return {
    version: 1,
    workspace: { name: 'Elbe Coffee Roasters' },
    channels: [
      { kind: 'messaging-app', name: 'Messaging app' },
      { kind: 'web-chat', name: 'Shop chat' },
      { kind: 'email', name: 'E-mail' },
      { kind: 'photo-network', name: 'Photo network' },
      { kind: 'sms', name: 'SMS', connected: false },
    ],
    workgroups: [{ name: 'Orders' }, { name: 'Support' }, { name: 'Wholesale' }, { name: 'Café' }],
    agents: [
      { name: 'Jonas Petersen', email: 'jonas@elbe-coffee.example', workgroups: ['Orders', 'Support'] },
      { name: 'Mira Öztürk', email: 'mira@elbe-coffee.example', workgroups: ['Orders', 'Wholesale'] },
      { name: 'Samuel Adeyemi', email: 'samuel@elbe-coffee.example', workgroups: ['Wholesale'] },
      { name: 'Lena Brandt', email: 'lena@elbe-coffee.example', workgroups: ['Café'] },
    ],
    templates: defaultTemplates,
    customers: defaultCustomers,
    packs: [
      { name: 'Starter pack', days: 5, used: 3.25 },
      { name: 'Integration pack', days: 10 },
    ],
  };
}
