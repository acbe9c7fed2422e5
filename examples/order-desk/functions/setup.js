import { importSample } from './_shared/orders.ts';
import { parseSettings } from './_shared/settings.js';

/** @type {import('convo-fn').CustomAppSetup} */
export const config = {
  type: 'custom-app-setup',
  settings: {
    type: 'object',
    additionalProperties: false,
    properties: {
      refundLimitEuros: {
        type: 'number',
        minimum: 0,
        maximum: 10000,
        description: 'Above it a person decides; 100 unless said',
      },
      refundDays: {
        type: 'integer',
        minimum: 1,
        maximum: 365,
        description: 'How long an order can be refunded; 30 unless said',
      },
      workgroup: {
        type: 'string',
        minLength: 1,
        description: 'Who decides about large refunds; Returns unless said',
      },
    },
  },
};

/** @param {import('convo-fn').SetupSdk} sdk */
export default async function (sdk) {
  const { phase, fromVersion } = sdk.setup;
  if (phase === 'uninstall') {
    await sdk.vars.delete('settings');
    await forgetOrders(sdk);
    return { removed: true };
  }

  const settings = parseSettings(sdk.setup.settings);
  const { items } = await sdk.workgroups.list({ limit: 200 });
  if (
    items.length > 0 &&
    !items.some(({ name }) => name === settings.workgroup)
  )
    throw new Error(
      `There is no workgroup "${settings.workgroup}". There is ${items.map(({ name }) => name).join(', ')}.`,
    );

  await sdk.vars.set('settings', settings);
  const imported = phase === 'install' ? await importSample(sdk) : 0;
  sdk.log.info(
    phase === 'install'
      ? `installed with ${imported} orders`
      : `updated from ${fromVersion}`,
  );
  return { settings, imported };
}

/** @param {import('convo-fn').SetupSdk} sdk */
async function forgetOrders(sdk) {
  for (const prefix of ['order/', 'orders-synced-at']) {
    for (;;) {
      const { items } = await sdk.store.list(prefix, { limit: 200 });
      if (items.length === 0) break;
      for (const { key } of items) await sdk.store.delete(key);
    }
  }
}
