import type { Seed } from '../../contract/shapes/index.ts';

/** People in the middle of ordinary matters: open and closed, assigned and waiting, on every channel. */
export const defaultCustomers: NonNullable<Seed['customers']> = [
  {
    name: 'Ann Sommer',
    phone: '+491713920011',
    email: 'ann.sommer@mail.example',
    language: 'de',
    fields: { city: 'Hamburg', orders: 7 },
    conversations: [
      {
        channel: 'Messaging app',
        assign: { agentEmail: 'jonas@elbe-coffee.example' },
        messages: [
          { from: 'system', text: 'Hallo Ann, deine Bestellung A-17 hat unsere Rösterei verlassen.', at: '-2d' },
          { from: 'customer', text: 'Super, danke! Könnt ihr sie beim Nachbarn abgeben lassen?', at: '-26h' },
          { from: 'agent', text: 'Klar, ich gebe das dem Fahrer weiter.', at: '-25h' },
          { from: 'customer', text: 'Das Paket ist noch nicht da. Wo ist meine Bestellung A-17?', at: '-40m' },
        ],
      },
    ],
  },
  {
    name: 'Oliver Grant',
    phone: '+447700900123',
    email: 'oliver@grant-cafe.example',
    language: 'en',
    fields: { company: 'Grant’s Café', vatId: 'GB000000000' },
    conversations: [
      {
        channel: 'E-mail',
        assign: { workgroup: 'Wholesale' },
        messages: [
          {
            from: 'customer',
            text: 'We would like 40 kg of the house blend every second week. What is your price?',
            at: '-3h',
          },
        ],
      },
    ],
  },
  {
    name: 'Camille Laurent',
    phone: '+33639980042',
    language: 'fr',
    conversations: [
      {
        channel: 'Messaging app',
        messages: [{ from: 'customer', text: 'Bonjour, livrez-vous aussi en France ?', at: '-55m' }],
      },
    ],
  },
  {
    name: 'Daniel Reyes',
    phone: '+12025550143',
    email: 'daniel.reyes@mail.example',
    language: 'en',
    fields: { orders: 1 },
    conversations: [
      {
        channel: 'Shop chat',
        status: 'closed',
        assign: { agentEmail: 'mira@elbe-coffee.example' },
        messages: [
          { from: 'customer', text: 'My grinder arrived with a broken lid.', at: '-6d' },
          { from: 'agent', text: 'I am sorry! A new lid is on its way, no need to send anything back.', at: '-6d' },
          { from: 'customer', text: 'That was quick. Thank you!', at: '-5d' },
        ],
      },
    ],
  },
  {
    name: 'Hanna Lindqvist',
    email: 'hanna.lindqvist@mail.example',
    language: 'en',
    conversations: [
      {
        channel: 'Photo network',
        assign: { workgroup: 'Café' },
        messages: [
          { from: 'customer', text: 'Is the café open on Sunday? And are dogs welcome?', at: '-5h' },
          { from: 'agent', text: 'Ten to six, and dogs get water and a biscuit.', at: '-4h' },
        ],
      },
    ],
  },
  {
    name: 'Yusuf Kaya',
    phone: '+493023125007',
    language: 'de',
    fields: { company: 'Kaya Feinkost' },
    conversations: [
      {
        channel: 'Messaging app',
        assign: { agentEmail: 'samuel@elbe-coffee.example' },
        messages: [
          { from: 'customer', text: 'Guten Morgen, können wir die Lieferung auf Donnerstag verschieben?', at: '-90m' },
        ],
      },
    ],
  },
  {
    name: 'Grace Nakamura',
    phone: '+61491570156',
    email: 'grace@nakamura.example',
    language: 'en',
    conversations: [
      {
        channel: 'Messaging app',
        messages: [{ from: 'system', text: 'Hello Grace, your order A-21 has left our roastery.', at: '-7h' }],
      },
    ],
  },
  {
    name: 'Pieter de Vries',
    email: 'pieter@devries-hotels.example',
    fields: { company: 'De Vries Hotels', rooms: 220 },
  },
];
