/**
 * Runs when the app is installed, updated or uninstalled in a workspace: checks the settings and prepares what the other
 * functions need. If it throws, the previous installation stays as it was.
 *
 * @type {import('convo-fn').CustomAppSetup}
 */
export const config = {
  type: 'custom-app-setup',
  // The person who installs the app fills these in.
  settings: {
    type: 'object',
    additionalProperties: false,
    properties: {
      workgroup: {
        type: 'string',
        description:
          'Gets the conversations that the app hands over; default: the first',
      },
      greeting: {
        type: 'string',
        maxLength: 500,
        description: 'How the app starts a message',
      },
    },
  },
};

/** @param {import('convo-fn').SetupSdk<{ workgroup?: string, greeting?: string }>} sdk */
export default async function (sdk) {
  const { phase, settings, fromVersion } = sdk.setup;

  if (phase === 'uninstall') {
    await sdk.vars.delete('handover');
    sdk.log.info('cleaned up');
    return;
  }

  const { items: workgroups } = await sdk.workgroups.list();
  const wanted = settings.workgroup;
  const workgroup =
    wanted === undefined
      ? workgroups[0]
      : workgroups.find(({ name }) => name === wanted);
  if (!workgroup) {
    if (wanted === undefined)
      throw new Error('There is no workgroup here. Create one first.');
    const names = workgroups.map(({ name }) => name).join(', ');
    throw new Error(
      `There is no workgroup "${wanted}" here. Available: ${names || 'none'}.`,
    );
  }

  // The app's other functions read it: await sdk.vars.get('handover')
  const handover = {
    workgroupId: workgroup.id,
    greeting: settings.greeting ?? 'Hello,',
  };
  await sdk.vars.set('handover', handover);
  sdk.log.info(
    phase === 'update' ? `updated from ${fromVersion}` : 'installed',
    handover,
  );
  return handover;
}
