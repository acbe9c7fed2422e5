import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Input } from '../../src/contract/index.ts';
import { aWorkspace, chunksOf, codeOf, functionOf, type TestWorkspace } from './support.ts';

const app = functionOf('template-app');
const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(2000, 7)]);
const shipped = { to: '+4930901820', template: 'order_shipped', variables: { body: ['Ann', 'A-17'] } };

/** Puts media into a workspace the way a caller would. */
async function uploaded({ workspace, call }: TestWorkspace, contentType = 'image/png', bytes: Uint8Array = png) {
  const credentials = await call(
    'media.createUpload',
    { fileName: 'roast.png', contentType, bytes: bytes.length },
    app,
  );
  const query = new URL(credentials.uploadUrl).searchParams;
  const input = {
    mediaId: credentials.mediaId,
    signature: query.get('signature') ?? '',
    expires: query.get('expires') ?? '',
  };
  await workspace.media.receive(input, contentType, chunksOf(bytes));
  return { mediaId: credentials.mediaId, input };
}

test('messages.sendTemplate stores what the customer sees, and says where it is', async (t) => {
  const { call, heard } = await aWorkspace(t, { seed: 'default' });
  const sent = await call('messages.sendTemplate', { ...shipped, language: 'de' }, app);
  assert.equal(sent.conversationUrl, `http://127.0.0.1:4242/tenants/acme/conversations/${sent.conversationId}`);
  const [message] = (await call('messages.list', { conversationId: sent.conversationId })).items;
  assert.equal(message?.id, sent.messageId);
  assert.deepEqual(message?.template, {
    name: 'order_shipped',
    language: 'de',
    rendered: {
      body: 'Hallo Ann, deine Bestellung A-17 hat unsere Rösterei verlassen. In etwa zwei Tagen ist sie bei dir.',
      footer: 'Elbe Coffee Roasters',
      buttons: [{ type: 'quick_reply', text: 'Wo ist sie?' }],
    },
  });
  assert.deepEqual(
    heard.map((event) => event.type),
    ['customer.created', 'conversation.created', 'message.sent', 'template.sent', 'message.status'],
  );
});

test('a misspelt template is answered with the one that was meant', async (t) => {
  const { refused } = await aWorkspace(t, { seed: 'default' });
  const send = (template: string) => refused('messages.sendTemplate', { ...shipped, template }, app);
  assert.equal(
    (await send('order_shiped')).message,
    'There is no template order_shiped; did you mean "order_shipped"?',
  );
  assert.equal((await send('something_else')).message, 'There is no template something_else');
});

test('every refusal of a send leaves no customer, no conversation and no message', async (t) => {
  const { call, refused, heard } = await aWorkspace(t, { seed: 'default' });
  const before = await call('workspace.export', {});
  const codes: [Partial<Input<'messages.sendTemplate'>>, string, string[]?][] = [
    [{ to: 'nobody' }, 'recipient_invalid', ['to']],
    [{ template: 'no_such_template' }, 'template_not_found'],
    [{ language: 'fr' }, 'template_language_unknown'],
    [{ template: 'feedback_request', variables: { body: ['x'] } }, 'template_not_approved'],
    [{ template: 'flash_sale', variables: { body: ['x'] } }, 'template_not_approved'],
    [{ template: 'winter_roast', variables: { body: ['x'] } }, 'template_not_approved'],
    [{ variables: { body: ['Ann'] } }, 'variable_missing', ['variables.body[1]']],
    [{ variables: { body: ['Ann', ''] } }, 'variables_invalid', ['variables.body[1]']],
    [
      { variables: { body: ['Ann', 'A-17', 'x'], header: 'y' } },
      'variables_invalid',
      ['variables.header', 'variables.body[2]'],
    ],
    [
      {
        template: 'summer_roast',
        variables: { header: { mediaId: 'med_none' }, body: ['Ann'], buttons: [{ index: 0, value: 'X' }] },
      },
      'media_not_found',
      ['variables.header.mediaId'],
    ],
    [{ assign: { agentEmail: 'nobody@mail.example' } }, 'agent_not_found'],
    [{ assign: { workgroupId: 'wgr_none' } }, 'workgroup_not_found'],
    [{ assign: { agentId: 'agt_1', workgroupId: 'wgr_1' } }, 'input_invalid', ['assign']],
  ];
  for (const [changes, code, paths] of codes) {
    const error = await refused('messages.sendTemplate', { ...shipped, ...changes }, app);
    assert.equal(error.code, code, JSON.stringify(changes));
    if (paths !== undefined)
      assert.deepEqual(
        error.errors?.map((problem) => problem.path),
        paths,
      );
  }
  assert.deepEqual(await call('workspace.export', {}), before);
  assert.deepEqual(heard, []);
});

test('without a connected messaging-app channel nothing can be sent', async (t) => {
  const { call, refused } = await aWorkspace(t, { seed: 'default' });
  const [channel] = (await call('channels.list', {})).items;
  await call('channels.disconnect', { id: channel?.id ?? '' });
  assert.equal((await refused('messages.sendTemplate', shipped, app)).code, 'channel_unreachable');
});

test('without a language the customer’s is taken, else the oldest approved one', async (t) => {
  const { call } = await aWorkspace(t, { seed: 'default' });
  const languageFor = async (to: string) => {
    const { conversationId } = await call('messages.sendTemplate', { ...shipped, to }, app);
    return (await call('messages.list', { conversationId })).items.at(-1)?.template?.language;
  };
  assert.equal(await languageFor('+491713920011'), 'de');
  assert.equal(await languageFor('+33639980042'), 'en');
  assert.equal(await languageFor('+4930901820'), 'en');
});

test('a send to a known customer goes into the conversation there, opens it, and assigns it', async (t) => {
  const { call } = await aWorkspace(t, { seed: 'default' });
  const { id } = await call('customers.find', { phone: '+491713920011' });
  const [known] = (await call('conversations.list', { customerId: id })).items;
  await call('conversations.close', { id: known?.id ?? '' });
  const assign = { agentEmail: 'lena@elbe-coffee.example' };
  const sent = await call('messages.sendTemplate', { ...shipped, to: '0049 171 3920011', assign }, app);
  assert.deepEqual([sent.conversationId, sent.created], [known?.id, { customer: false, conversation: false }]);
  const conversation = await call('conversations.get', { id: sent.conversationId });
  const [lena] = (await call('agents.list', { search: 'lena' })).items;
  assert.deepEqual([conversation.status, conversation.inbox, conversation.assignee.agentId], ['open', true, lena?.id]);
});

test('a repeated send with the same key sends once', async (t) => {
  const { call } = await aWorkspace(t, { seed: 'default' });
  const key = { idempotencyKey: 'order A-17' };
  const first = await call('messages.sendTemplate', shipped, app, key);
  assert.deepEqual(await call('messages.sendTemplate', shipped, app, key), first);
  assert.equal((await call('messages.list', { conversationId: first.conversationId })).items.length, 1);
});

test('every approved template of the default seed can be sent', async (t) => {
  const made = await aWorkspace(t, { seed: 'default' });
  const { call } = made;
  const picture = { mediaId: (await uploaded(made)).mediaId };
  const media = {
    image: picture,
    video: { url: 'https://elbe-coffee.example/brew.mp4' },
    document: { url: 'https://elbe-coffee.example/invoice.pdf' },
  };
  const { items } = await call('messageTemplates.list', {}, app);
  for (const template of items) {
    const { header } = template;
    const values = (buttons: typeof template.variables.buttons) =>
      buttons.map(({ index }) => ({ index, value: 'A17' }));
    const variables = {
      ...(header === undefined
        ? {}
        : header.format === 'location'
          ? { header: { latitude: 53.5, longitude: 10 } }
          : {}),
      ...(header?.format === 'text' ? { header: 'A-17' } : {}),
      ...(header !== undefined && header.format !== 'text' && header.format !== 'location'
        ? { header: media[header.format] }
        : {}),
      body: Object.fromEntries(template.variables.body.map((name) => [name, 'Ann'])),
      buttons: values(template.variables.buttons),
      ...(template.carousel === undefined
        ? {}
        : {
            carousel: template.carousel.map(() => ({
              header: picture,
              body: ['Kenya', '12 €'],
              buttons: [{ index: 0, value: 'kenya' }],
            })),
          }),
    };
    await call(
      'messages.sendTemplate',
      { to: '+4930901820', template: template.name, language: template.language, variables },
      app,
    );
  }
});

test('messageTemplates.list filters by name and language, page by page', async (t) => {
  const { call, refused } = await aWorkspace(t, { seed: 'default' });
  const names = async (input: object) =>
    (await call('messageTemplates.list', input, app)).items.map((one) => `${one.name} ${one.language}`);
  assert.deepEqual(await names({ name: 'order_shipped' }), ['order_shipped de', 'order_shipped en']);
  assert.deepEqual(await names({ language: 'DE' }), ['order_shipped de']);
  assert.deepEqual(await names({ name: 'flash_sale' }), []);
  const { nextCursor } = await call('messageTemplates.list', { limit: 1 }, app);
  assert.equal((await call('messageTemplates.list', { limit: 1, cursor: nextCursor ?? '' }, app)).items.length, 1);
  assert.equal((await refused('messageTemplates.list', {})).code, 'operation_not_allowed');
});

test('media of a header is taken under credentials once, and can be read back', async (t) => {
  const made = await aWorkspace(t, { seed: 'default', onDisk: true });
  const { workspace } = made;
  const { mediaId, input } = await uploaded(made);
  const read = await workspace.media.read(mediaId);
  assert.deepEqual(
    [Buffer.from(read.bytes).equals(png), read.contentType, read.fileName],
    [true, 'image/png', 'roast.png'],
  );
  assert.equal(await codeOf(workspace.media.receive(input, 'image/png', chunksOf(png))), 'upload_already_done');
  const again = await made.reopened();
  assert.ok(Buffer.from((await again.workspace.media.read(mediaId)).bytes).equals(png));
  assert.equal(await codeOf(again.workspace.media.read('med_none')), 'file_not_found');
});

test('media.createUpload refuses types and sizes that no header takes', async (t) => {
  const { refused, call } = await aWorkspace(t);
  const asked = (contentType: string, bytes: number) =>
    refused('media.createUpload', { fileName: 'x', contentType, bytes }, app);
  assert.equal((await asked('image/gif', 10)).code, 'media_type_unsupported');
  assert.equal((await asked('text/html', 10)).code, 'media_type_unsupported');
  const mebibyte = 1024 * 1024;
  for (const [type, most] of [
    ['image/jpeg', 5],
    ['video/mp4', 16],
    ['application/pdf', 100],
  ] as const) {
    const error = await asked(type, most * mebibyte + 1);
    assert.deepEqual([error.code, error.errors?.[0]?.path], ['media_too_large', 'bytes']);
    await call('media.createUpload', { fileName: 'x', contentType: type, bytes: most * mebibyte }, app);
  }
});

test('an upload with wrong, old or borrowed credentials is refused', async (t) => {
  const made = await aWorkspace(t);
  const { workspace, call, clock } = made;
  const ask = async () => {
    const credentials = await call(
      'media.createUpload',
      { fileName: 'a.png', contentType: 'image/png', bytes: png.length },
      app,
    );
    const query = new URL(credentials.uploadUrl).searchParams;
    return {
      mediaId: credentials.mediaId,
      signature: query.get('signature') ?? '',
      expires: query.get('expires') ?? '',
    };
  };
  const [one, two] = [await ask(), await ask()];
  const put = (input: typeof one) => codeOf(workspace.media.receive(input, 'image/png', chunksOf(png)));
  assert.equal(await put({ ...one, signature: two.signature }), 'upload_credentials_invalid');
  assert.equal(await put({ ...one, expires: String(Number(one.expires) + 60_000) }), 'upload_credentials_invalid');
  assert.equal(await put({ ...one, mediaId: 'med_none' }), 'upload_credentials_invalid');
  clock.advance(15 * 60_000 + 1);
  assert.equal(await put(one), 'upload_credentials_expired');
});

test('size and type of an upload are checked while it arrives, and a refused one can be repeated', async (t) => {
  const { workspace, call } = await aWorkspace(t, { onDisk: true });
  const credentials = await call(
    'media.createUpload',
    { fileName: 'a.png', contentType: 'image/png', bytes: png.length },
    app,
  );
  const query = new URL(credentials.uploadUrl).searchParams;
  const input = {
    mediaId: credentials.mediaId,
    signature: query.get('signature') ?? '',
    expires: query.get('expires') ?? '',
  };
  const put = (bytes: Uint8Array, type = 'image/png') => workspace.media.receive(input, type, chunksOf(bytes, 100));
  assert.equal(await codeOf(put(png, 'image/jpeg')), 'media_type_mismatch');
  await assert.rejects(put(png, ''), { message: 'The upload has no Content-Type; image/png was announced' });
  assert.equal(await codeOf(put(png.subarray(0, -1))), 'media_size_mismatch');
  assert.equal(await codeOf(put(Buffer.concat([png, png]))), 'media_size_mismatch');
  assert.equal(await codeOf(put(Buffer.alloc(png.length, 'MZ'))), 'media_type_mismatch');
  assert.equal(await codeOf(put(new Uint8Array())), 'media_type_mismatch');

  let taken = 0;
  async function* endless() {
    for (;;) {
      taken++;
      yield png;
    }
  }
  assert.equal(await codeOf(workspace.media.receive(input, 'image/png', endless())), 'media_size_mismatch');
  assert.equal(taken, 2, 'read on after the size was passed');
  async function* cut() {
    yield png.subarray(0, 600);
    throw new Error('connection lost');
  }
  await assert.rejects(workspace.media.receive(input, 'image/png', cut()), /connection lost/);
  assert.equal((await put(png)).bytes, png.length);
});

test('credentials that nobody used are forgotten a day after they expired', async (t) => {
  const { workspace, call, clock } = await aWorkspace(t);
  const ask = () => call('media.createUpload', { fileName: 'a.png', contentType: 'image/png', bytes: png.length }, app);
  const { mediaId, uploadUrl } = await ask();
  const query = new URL(uploadUrl).searchParams;
  const input = { mediaId, signature: query.get('signature') ?? '', expires: query.get('expires') ?? '' };
  clock.advance(16 * 60_000 + 86_400_000);
  assert.equal(await codeOf(workspace.media.receive(input, 'image/png', chunksOf(png))), 'upload_credentials_expired');
  await ask();
  assert.equal(await codeOf(workspace.media.receive(input, 'image/png', chunksOf(png))), 'upload_credentials_invalid');
});

test('of two uploads with the same credentials at once, one counts', async (t) => {
  const { workspace, call } = await aWorkspace(t);
  const credentials = await call(
    'media.createUpload',
    { fileName: 'a.png', contentType: 'image/png', bytes: png.length },
    app,
  );
  const query = new URL(credentials.uploadUrl).searchParams;
  const input = {
    mediaId: credentials.mediaId,
    signature: query.get('signature') ?? '',
    expires: query.get('expires') ?? '',
  };
  const done = await Promise.allSettled(
    [1, 2, 3].map(() => workspace.media.receive(input, 'image/png', chunksOf(png))),
  );
  assert.equal(done.filter((one) => one.status === 'fulfilled').length, 1);
});

test('media that never arrived, or is of another kind, cannot stand in a header', async (t) => {
  const made = await aWorkspace(t, { seed: 'default' });
  const { call, refused } = made;
  const { mediaId } = await call('media.createUpload', { fileName: 'a.png', contentType: 'image/png', bytes: 10 }, app);
  const send = (id: string) => ({
    to: '+4930901820',
    template: 'invoice_ready',
    variables: { header: { mediaId: id }, body: ['Ann', 'May'] },
  });
  assert.equal((await refused('messages.sendTemplate', send(mediaId), app)).code, 'media_not_found');
  const picture = await uploaded(made);
  const error = await refused('messages.sendTemplate', send(picture.mediaId), app);
  assert.deepEqual([error.code, error.errors?.[0]?.path], ['variables_invalid', 'variables.header.mediaId']);
  const pdf = await uploaded(made, 'application/pdf', Buffer.from('%PDF-1.7 and so on'));
  await call('messages.sendTemplate', send(pdf.mediaId), app);
});

test('a message may carry uploaded media', async (t) => {
  const made = await aWorkspace(t, { seed: 'default' });
  const { mediaId } = await uploaded(made);
  const { conversationId } = await made.call('messages.receive', { phone: '+4930901820', text: 'Hello' });
  const { media } = await made.call('messages.send', { conversationId, media: { mediaId } });
  assert.deepEqual(media, { mediaId, type: 'image/png', fileName: 'roast.png' });
});
