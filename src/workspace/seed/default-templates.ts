import type { Seed } from '../../contract/shapes/index.ts';

/** Together they use every component, both kinds of variables, and every status. */
export const defaultTemplates: NonNullable<Seed['templates']> = [
  {
    name: 'order_shipped',
    language: 'en',
    category: 'utility',
    body: 'Hello {{1}}, your order {{2}} has left our roastery. It usually takes two days to arrive.',
    footer: 'Elbe Coffee Roasters',
    buttons: [{ type: 'quick_reply', text: 'Where is it?' }],
  },
  {
    name: 'order_shipped',
    language: 'de',
    category: 'utility',
    body: 'Hallo {{1}}, deine Bestellung {{2}} hat unsere Rösterei verlassen. In etwa zwei Tagen ist sie bei dir.',
    footer: 'Elbe Coffee Roasters',
    buttons: [{ type: 'quick_reply', text: 'Wo ist sie?' }],
  },
  {
    name: 'order_confirmed',
    language: 'en',
    category: 'utility',
    header: { format: 'text', text: 'Order {{1}}' },
    body: 'Thank you, {{customer}}! We roast your {{coffee}} on {{day}} and ship it the same evening.',
    buttons: [
      { type: 'url', text: 'See your order', url: 'https://shop.elbe-coffee.example/orders/{{1}}' },
      { type: 'phone', text: 'Call us', phone: '+493023125042' },
    ],
  },
  {
    name: 'invoice_ready',
    language: 'en',
    category: 'utility',
    header: { format: 'document' },
    body: 'Hello {{1}}, attached is the invoice for {{2}}.',
    footer: 'Questions? Just answer this message.',
  },
  {
    name: 'tasting_reminder',
    language: 'en',
    category: 'utility',
    header: { format: 'location' },
    body: 'Hello {{name}}, we look forward to seeing you at the tasting on {{date}} at {{time}}.',
    buttons: [
      { type: 'quick_reply', text: 'I will be there' },
      { type: 'quick_reply', text: 'I cannot come' },
    ],
  },
  {
    name: 'summer_roast',
    language: 'en',
    category: 'marketing',
    header: { format: 'image' },
    body: 'Our summer roast is here, {{1}}: peach, jasmine, a long sweet finish. Ten per cent off until Sunday.',
    footer: 'Reply STOP to hear no more of this',
    buttons: [
      { type: 'copy_code', text: 'Copy code' },
      { type: 'url', text: 'To the shop', url: 'https://shop.elbe-coffee.example/summer' },
    ],
  },
  {
    name: 'how_to_brew',
    language: 'en',
    category: 'marketing',
    header: { format: 'video' },
    body: 'Two minutes with our head roaster: how to brew {{1}} at home.',
  },
  {
    name: 'new_coffees',
    language: 'en',
    category: 'marketing',
    body: 'New this month, {{1}}: three coffees we would like you to try.',
    carousel: [1, 2, 3].map(() => ({
      header: { format: 'image' as const },
      body: '{{1}} – {{2}} for 250 g',
      buttons: [
        { type: 'url' as const, text: 'Look', url: 'https://shop.elbe-coffee.example/coffee/{{1}}' },
        { type: 'quick_reply' as const, text: 'Send me a sample' },
      ],
    })),
  },
  {
    name: 'login_code',
    language: 'en',
    category: 'authentication',
    body: '{{1}} is your code for the Elbe Coffee shop. It is good for ten minutes.',
    buttons: [{ type: 'copy_code', text: 'Copy code' }],
  },
  {
    name: 'feedback_request',
    language: 'en',
    category: 'marketing',
    status: 'pending',
    body: 'How do you like your {{1}}? Tell us in one sentence.',
  },
  {
    name: 'flash_sale',
    language: 'en',
    category: 'marketing',
    status: 'rejected',
    body: 'ONLY TODAY {{1}}!!!',
  },
  {
    name: 'winter_roast',
    language: 'en',
    category: 'marketing',
    status: 'paused',
    body: 'The winter roast is back, {{1}}.',
  },
];
