import type { Input } from '../../contract/index.ts';
import { UsageError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import { newKey } from '../send-template/keys.ts';
import { inLine } from '../terminal/sanitise.ts';
import { parseAssignee } from '../values/assignee.ts';

export const command = defineCommand({
  description: `Prints the direct link to the conversation with a customer, given by phone number or e-mail address. Creates customer and conversation if they do not exist. The same customer on the same channel always gets the same conversation, so running it twice is safe.`,
  options: {
    phone: { flag: '--phone <number>', summary: 'Phone number of the customer, in international form' },
    email: { flag: '--email <address>', summary: 'E-mail address of the customer' },
    channel: {
      flag: '-c, --channel <channel>',
      summary: 'Channel by id, kind or name; default: the first that reaches the customer',
    },
    name: { flag: '--name <text>', summary: 'Name of the customer, if it is created' },
    assign: { flag: '--assign <who>', summary: 'Agent (e-mail or id) or workgroup (id) to assign the conversation to' },
    qr: { flag: '--qr', summary: 'Also show the link as a QR code' },
    idempotencyKey: { flag: '--idempotency-key <key>', summary: 'Key that makes it safe to repeat the request' },
  },
  examples: [
    { line: 'fn link --phone +4930901820', does: 'prints the link', runs: true },
    {
      line: 'fn link --email ann@example.com --channel web-chat --assign jana.winter@nordwind.example',
      does: 'assigns the conversation as well',
      runs: true,
    },
    { line: 'open "$(fn link --phone +4930901820)"', does: 'opens the conversation' },
  ],
  json: '{conversationId, url, customerId, created: {customer, conversation}}',
  see: ['session-link'],
  complete: { channel: 'channels or kinds', assign: 'agents' },
  async run(context, { phone, email, channel, name, assign, qr, idempotencyKey }) {
    if ((phone === undefined) === (email === undefined)) {
      throw new UsageError(
        phone === undefined ? 'customer_missing' : 'flags_contradict',
        phone === undefined ? 'No customer given' : '--phone and --email cannot be combined',
        {
          hint: 'Use one of them: --phone +4930901820, or --email ann@example.com',
        },
      );
    }
    const input: Input<'sessions.link'> = {
      ...(phone !== undefined && { phone }),
      ...(email !== undefined && { email }),
      ...(channel !== undefined && { channel }),
      ...(name !== undefined && { name }),
      ...(assign !== undefined && { assign: parseAssignee(assign) }),
    };
    const { io, signal } = context;
    const target = await context.target();
    const key = idempotencyKey ?? newKey();
    const link = await target.door('sessions.link', input, { signal, idempotencyKey: key });
    io.result(link, () => inLine(link.url));
    if (qr) {
      const { qrText } = await import('../terminal/qr.ts');
      io.err(qrText(link.url) ?? 'The link is too long for a QR code.');
    }
  },
});
