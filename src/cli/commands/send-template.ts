import { UsageError } from '../../std/index.ts';
import { defineCommand, type Option } from '../command.ts';
import type { Context, Target } from '../context.ts';
import { byFlags } from '../send-template/flag-names.ts';
import { draftOf, type MessageFlags } from '../send-template/message.ts';
import { sendOne } from '../send-template/send-one.ts';
import { inLine } from '../terminal/sanitise.ts';
import { readJson } from '../values/read-json.ts';

const options = {
  to: { flag: '-t, --to <phone>', summary: 'Number of the recipient, in international form' },
  lang: {
    flag: '-l, --lang <language>',
    summary: 'Language of the template; default: its only language, or the workspace’s choice',
  },
  body: { flag: '-b, --body <text>', summary: 'Next positional variable of the body', many: true },
  var: { flag: '--var <name=value>', summary: 'Named variable of the body', many: true },
  header: {
    flag: '--header <value>',
    summary: 'Text, @FILE to upload, an https link, a media id (med_…), or geo:LAT,LON',
  },
  button: {
    flag: '--button <index=value>',
    summary: 'Variable of a button, counted from 0',
    many: true,
  },
  carousel: { flag: '--carousel <json>', summary: 'Cards as JSON or @FILE; a header {"file": "shoe.jpg"} is uploaded' },
  data: { flag: '-d, --data <json>', summary: 'Body or variables as JSON, @FILE, or @- for standard input' },
  assign: { flag: '--assign <who>', summary: 'Agent (e-mail or id) or workgroup (id) to assign the conversation to' },
  dryRun: {
    flag: '-n, --dry-run',
    summary: 'Show the exact request and the message as the customer would see it; send nothing',
  },
  idempotencyKey: { flag: '--idempotency-key <key>', summary: 'Key that makes it safe to repeat the send' },
  fromCsv: { flag: '--from-csv <file>', summary: 'Send to every line of a file; the column "to" has the number' },
  rate: { flag: '--rate <count>', summary: 'With --from-csv: maximum per second; default 10', type: 'number' },
  resume: {
    flag: '--resume <file>',
    summary: 'With --from-csv: where to keep its progress; default: FILE.resume.jsonl',
  },
  yes: { flag: '-y, --yes', summary: 'Do not ask before sending' },
} as const satisfies Record<string, Option>;

export const command = defineCommand({
  description: `Sends an approved message template to a number; if the number is new, the customer is created. Prints the conversation's id, a tab, and its direct link.

Media for a header is uploaded automatically. fn never sends a message twice by itself: if no answer comes, the outcome is unknown, and fn exits with 8 and prints the key that makes a repeat safe. Running the same command again within 24 hours uses that key.

--from-csv sends to a list. The outcome of each line is kept in a file beside it; after any interruption the same command continues, and nobody gets a message twice. Columns: "to"; "1", "2", … or the names of the variables; "header"; "button.0"; "language"; "template".`,
  arguments: { template: { summary: 'Name of the template; may be given in --data instead', optional: true } },
  options,
  examples: [
    {
      line: 'send-template order_shipped --to +4930901820 --lang en --header A-17 --body Ann --body Friday --button 0=A-17',
      does: 'sends it',
      runs: true,
    },
    {
      line: 'fn template send new_season --to +4930901820 --body Ann --header @photo.jpg',
      does: 'uploads the photo and sends it',
    },
    {
      line: 'fn template send refund_confirmed --to +4930901820 --var name=Ann --var amount="20 €" --var order=A-17 --dry-run',
      does: 'shows what would be sent',
      runs: true,
    },
    {
      line: 'send-template new_season --from-csv customers.csv --header https://shop.example/snow.jpg --rate 20',
      does: 'sends to a list',
    },
    {
      line: 'id=$(send-template refund_confirmed --to "$phone" --data @refund.json | cut -f1)',
      does: 'keeps the conversation id',
    },
  ],
  json: '{conversationId, conversationUrl, messageId, customerId, created, outcome, idempotencyKey, replayed}; with --from-csv a line for each recipient who had not got it before {line, to, outcome, code?, …} and then {type: "report", outcome, total, sent, skipped, refused, unknown, left, resume}',
  see: ['templates', 'exit-codes'],
  complete: { template: 'templates', lang: 'languages', assign: 'agents' },
  async run(context, args) {
    const { template, lang, body, var: named, header, button, assign } = args;
    const message: MessageFlags = {
      template,
      to: args.to,
      lang,
      body,
      var: named,
      header,
      button,
      assign,
      ...(args.carousel !== undefined && { carousel: await readJson(context, args.carousel, '--carousel') }),
      ...(args.data !== undefined && { data: await readJson(context, args.data, '--data') }),
    };
    if (args.fromCsv !== undefined) {
      const { sendList } = await import('../send-template/list.ts');
      return await sendList(context, message, { ...args, file: args.fromCsv });
    }
    if (args.rate !== undefined || args.resume !== undefined) {
      throw new UsageError('flags_contradict', '--rate and --resume only work with --from-csv', {
        hint: 'Omit them, or add --from-csv FILE.',
      });
    }
    const draft = draftOf(message, context.cwd);
    const target = await context.target();
    if (args.dryRun) {
      const { dryRun } = await import('../send-template/dry-run.ts');
      return await dryRun(context, target, draft, message, args.idempotencyKey);
    }
    // Before the journal entry and the upload of media: a refused question leaves nothing.
    if (target.kind === 'remote' && context.ask.possible) {
      const { agreeToSend } = await import('../workspaces/ask-before-sending.ts');
      await agreeToSend(context, target, args.yes);
    }
    warnOnPractice(context, target);
    const sent = await sendOne(context, target, draft, args.idempotencyKey).catch((error: unknown) => {
      throw byFlags(error, message);
    });
    if (sent.replayed) context.io.err('This was already sent with this key; nothing was sent now.');
    context.io.result(sent, () => `${inLine(sent.conversationId)}\t${inLine(sent.conversationUrl)}`);
    return 0;
  },
});

/** Says that the message went to a practice workspace, for people who believe they wrote to a customer. */
function warnOnPractice({ io }: Context, target: Target): void {
  if (target.kind === 'embedded')
    io.err('Using the local workspace of this folder: no real customer gets this message.');
}
