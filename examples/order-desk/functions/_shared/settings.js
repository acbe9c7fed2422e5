import * as z from 'zod';

/** What the app is set to. `setup` writes it, the others read it. */
const Settings = z.object({
  refundLimitEuros: z.number().min(0).max(10_000).default(100),
  refundDays: z.number().int().min(1).max(365).default(30),
  workgroup: z.string().min(1).default('Returns'),
});

/** @param {unknown} value */
export function parseSettings(value) {
  return Settings.parse(value ?? {});
}

/** @param {import('convo-fn').ServerSdk} sdk */
export async function readSettings(sdk) {
  return parseSettings(await sdk.vars.get('settings'));
}
