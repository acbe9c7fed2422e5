import type { CustomFlowNode, FlowNodeResult, FlowNodeSdk } from 'convo-fn';

/** Decides in a flow whether the shop is open, so that a bot answers at night and people during the day. */
export const config: CustomFlowNode = {
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

interface OpeningHours {
  opens: string;
  closes: string;
  timezone?: string;
}

export default async function (
  sdk: FlowNodeSdk<OpeningHours>,
): Promise<FlowNodeResult<'open' | 'closed'>> {
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
