import type { CustomAppSetup, SetupSdk } from 'convo-fn';

/**
 * Runs when the app is installed, updated or uninstalled in a workspace: checks the settings and prepares what the other
 * functions need. When it throws, the installation before stays as it was.
 */
export const config: CustomAppSetup = {
  type: 'custom-app-setup',
  // Who installs the app fills these in.
  settings: {
    type: 'object',
    additionalProperties: false,
    properties: {
      workgroup: {
        type: 'string',
        description:
          'Who takes what the app hands over; the first workgroup unless said',
      },
      greeting: {
        type: 'string',
        maxLength: 500,
        description: 'How the app begins a message',
      },
    },
  },
};

interface Settings {
  workgroup?: string;
  greeting?: string;
}

export default async function (sdk: SetupSdk<Settings>) {
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
      throw new Error('There is no workgroup here. Make one first.');
    const names = workgroups.map(({ name }) => name).join(', ');
    throw new Error(
      `There is no workgroup "${wanted}" here. There is ${names || 'none at all'}.`,
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
