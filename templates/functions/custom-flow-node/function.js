/**
 * Decides in a flow whether the shop is open, so that a bot answers at night and people during the day.
 *
 * @type {import('convo-fn').CustomFlowNode}
 */
export const config = {
  type: 'custom-flow-node',
  title: '{{title}}',
  input: {
    type: 'object',
    required: ['opens', 'closes'],
    additionalProperties: false,
    properties: {
      opens: {
        type: 'string',
        pattern: '^\\d\\d:\\d\\d$',
        description: 'Local time, such as 09:00',
      },
      closes: {
        type: 'string',
        pattern: '^\\d\\d:\\d\\d$',
        description: 'Local time, such as 17:30',
      },
      timezone: {
        type: 'string',
        description: 'Default: Europe/Berlin',
      },
    },
  },
  // The node has one exit for each outcome.
  outcomes: ['open', 'closed'],
};

/**
 * @param {import('convo-fn').FlowNodeSdk<{ opens: string, closes: string, timezone?: string }>} sdk
 * @returns {Promise<import('convo-fn').FlowNodeResult<'open' | 'closed'>>}
 */
export default async function (sdk) {
  const {
    opens,
    closes,
    timezone: timeZone = 'Europe/Berlin',
  } = sdk.flow.input;

  // The workspace's clock, not the machine's: tests and "fn clock advance" can set it.
  const now = sdk.context.now();
  const weekday = now.toLocaleDateString('en-GB', {
    timeZone,
    weekday: 'long',
  });
  const time = now.toLocaleTimeString('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
  });

  const weekend = weekday === 'Saturday' || weekday === 'Sunday';
  const open = !weekend && opens <= time && time < closes;
  return {
    outcome: open ? 'open' : 'closed',
    output: { weekday, time },
    // Later nodes of the flow read these.
    variables: { shopIsOpen: open },
  };
}
