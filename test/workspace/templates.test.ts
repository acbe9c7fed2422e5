import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  definitionProblems,
  render,
  type TemplateDefinition,
  type Variables,
  variableProblems,
  variablesOf,
} from '../../src/workspace/templates/index.ts';
import fc from '../properties.ts';

const base = { name: 'x', language: 'en', category: 'utility', status: 'approved' } as const;
const template = (parts: Partial<TemplateDefinition>): TemplateDefinition => ({ ...base, body: 'Hello', ...parts });
const noMedia = () => 'names no uploaded media';
const anyMedia = () => undefined;
const pathsOf = (definition: TemplateDefinition, variables: Variables, media = noMedia as () => string | undefined) =>
  variableProblems(definition, variables, media).map((problem) => problem.path);

const card = (body?: string) => ({
  header: { format: 'image' as const },
  ...(body === undefined ? {} : { body }),
  buttons: [
    { type: 'url' as const, text: 'Look', url: 'https://shop.example/c/{{1}}' },
    { type: 'quick_reply' as const, text: 'Yes' },
  ],
});
const image = { url: 'https://shop.example/a.jpg' };

test('a template says which variables it takes', () => {
  const definition = template({
    header: { format: 'text', text: 'Order {{1}}' },
    body: 'Hi {{name}}, {{coffee}} is ready. Bye {{name}}.',
    buttons: [{ type: 'quick_reply', text: 'Ok' }, { type: 'copy_code', text: 'Copy' }, ...card().buttons],
    carousel: [card('{{price}}'), card('{{price}}')],
  });
  assert.deepEqual(variablesOf(definition), {
    style: 'named',
    body: ['name', 'coffee'],
    header: ['1'],
    buttons: [
      { index: 1, type: 'copy_code' },
      { index: 2, type: 'url' },
    ],
    cards: 2,
  });
  assert.equal(variablesOf(template({})).style, 'none');
  assert.deepEqual(variablesOf(template({ body: '{{2}} {{1}} {{10}} {{3}}' })).body, ['1', '2', '3', '10']);
});

test('what is wrong with a template itself is named with its path', () => {
  const problems = (parts: Partial<TemplateDefinition>) =>
    definitionProblems(template(parts)).map((problem) => problem.path);
  assert.deepEqual(problems({ body: 'Hi {{1}} and {{name}}' }), ['body']);
  assert.deepEqual(problems({ body: 'Hi {{1}} and {{3}}' }), ['body']);
  assert.deepEqual(problems({ body: 'Hi {{ first name }}' }), ['body']);
  assert.deepEqual(problems({ header: { format: 'text', text: '{{1}} {{2}}' } }), ['header.text']);
  assert.deepEqual(problems({ footer: 'Bye {{1}}' }), ['footer']);
  const url = (address: string) => problems({ buttons: [{ type: 'url', text: 'Go', url: address }] });
  assert.deepEqual(url('https://shop.example/{{1}}'), []);
  assert.deepEqual(url('https://shop.example/{{1}}/x'), ['buttons[0].url']);
  assert.deepEqual(url('https://shop.example/{{1}}{{2}}'), ['buttons[0].url']);
  assert.deepEqual(url('https://{{1}}'), ['buttons[0].url']);
  assert.deepEqual(url('https://shop.example{{1}}'), ['buttons[0].url']);
  assert.deepEqual(url('http://shop.example/'), ['buttons[0].url']);
  assert.deepEqual(url('javascript:alert(1)'), ['buttons[0].url']);
  assert.deepEqual(problems({ carousel: [card('a'), card()] }), ['carousel[1]']);
  assert.deepEqual(problems({ carousel: [card('{{1}}'), card('{{2}}')] }), ['carousel[1].body']);
});

test('each variable that is missing, surplus, empty or over-long is one problem with its path', () => {
  const positional = template({ body: 'Hi {{1}}, {{2}}' });
  assert.deepEqual(pathsOf(positional, {}), ['variables.body[0]', 'variables.body[1]']);
  assert.deepEqual(pathsOf(positional, { body: ['Ann'] }), ['variables.body[1]']);
  assert.deepEqual(pathsOf(positional, { body: ['Ann', ' ', 'more', 'and more'] }), [
    'variables.body[1]',
    'variables.body[2]',
    'variables.body[3]',
  ]);
  assert.deepEqual(pathsOf(positional, { body: ['Ann', 'x'.repeat(1100)] }), ['variables.body[1]']);
  assert.deepEqual(pathsOf(positional, { body: { 1: 'Ann', 2: 'A-17' } }), []);
  const named = template({ body: 'Hi {{name}}, {{order}}' });
  assert.deepEqual(pathsOf(named, { body: { name: '', nam: 'Ann' } }), [
    'variables.body.name',
    'variables.body.order',
    'variables.body.nam',
  ]);
  assert.deepEqual(pathsOf(named, { body: ['Ann', 'A-17'] }), ['variables.body']);
  assert.deepEqual(pathsOf(template({}), { body: ['Ann'] }), ['variables.body[0]']);
});

test('a header takes what its format says and nothing else', () => {
  const header = (format: 'image' | 'video' | 'document' | 'location') => template({ header: { format } });
  assert.deepEqual(pathsOf(template({}), { header: 'x' }), ['variables.header']);
  const text = template({ header: { format: 'text', text: 'Order {{1}}' } });
  for (const given of [undefined, '', image, { latitude: 1, longitude: 2 }, 'x'.repeat(55)]) {
    assert.deepEqual(pathsOf(text, given === undefined ? {} : { header: given }), ['variables.header']);
  }
  assert.deepEqual(pathsOf(text, { header: 'A-17' }), []);
  assert.deepEqual(pathsOf(template({ header: { format: 'text', text: 'Order' } }), { header: 'A-17' }), [
    'variables.header',
  ]);
  assert.deepEqual(pathsOf(header('image'), {}), ['variables.header']);
  assert.deepEqual(pathsOf(header('image'), { header: {} }), ['variables.header']);
  assert.deepEqual(pathsOf(header('image'), { header: { ...image, mediaId: 'med_1' } }), ['variables.header']);
  assert.deepEqual(pathsOf(header('video'), { header: { mediaId: 'med_1' } }), ['variables.header.mediaId']);
  assert.deepEqual(pathsOf(header('video'), { header: { mediaId: 'med_1' } }, anyMedia), []);
  assert.deepEqual(pathsOf(header('document'), { header: { url: 'http://shop.example/a.pdf' } }), [
    'variables.header.url',
  ]);
  assert.deepEqual(pathsOf(header('location'), { header: 'Hamburg' }), ['variables.header']);
  assert.deepEqual(pathsOf(header('location'), { header: { latitude: 53.5, longitude: 10 } }), []);
});

test('a button takes a value if it has a variable, once', () => {
  const definition = template({
    buttons: [
      { type: 'quick_reply', text: 'Ok' },
      { type: 'url', text: 'Look', url: 'https://shop.example/o/{{1}}' },
      { type: 'copy_code', text: 'Copy' },
    ],
  });
  assert.deepEqual(pathsOf(definition, {}), ['variables.buttons[0].value', 'variables.buttons[1].value']);
  assert.deepEqual(pathsOf(definition, { buttons: [{ index: 2, value: 'X' }] }), ['variables.buttons[0].value']);
  const wrong = [
    { index: 0, value: 'x' },
    { index: 1, value: ' ' },
    { index: 2, value: 'x'.repeat(21) },
    { index: 2, value: 'X' },
    { index: 9, value: 'X' },
  ];
  assert.deepEqual(pathsOf(definition, { buttons: wrong }), [
    'variables.buttons[0].index',
    'variables.buttons[1].value',
    'variables.buttons[2].value',
    'variables.buttons[3].index',
    'variables.buttons[4].index',
  ]);
});

test('each card of a carousel is checked, with the path of the card', () => {
  const definition = template({ carousel: [card('{{1}} for {{2}}'), card('{{1}} for {{2}}')] });
  assert.deepEqual(pathsOf(definition, {}), ['variables.carousel']);
  assert.deepEqual(pathsOf(template({}), { carousel: [] }), ['variables.carousel']);
  const good = { header: image, body: ['Kenya', '12 €'], buttons: [{ index: 0, value: 'kenya' }] };
  assert.deepEqual(pathsOf(definition, { carousel: [good, good] }), []);
  const bad = [good, { body: ['x'.repeat(200), 'y'], buttons: [{ index: 0, value: '' }] }, good];
  assert.deepEqual(pathsOf(definition, { carousel: bad }), [
    'variables.carousel[2]',
    'variables.carousel[1].header',
    'variables.carousel[1].body[0]',
    'variables.carousel[1].buttons[0].value',
  ]);
  assert.deepEqual(pathsOf(definition, { carousel: [good] }), ['variables.carousel[1]']);
});

test('a template is rendered with every component as the customer sees it', () => {
  const definition = template({
    header: { format: 'text', text: 'Order {{1}}' },
    body: 'Hi {{name}}! {{name}}, your {{coffee}} is ready.',
    footer: 'Elbe Coffee',
    buttons: [
      { type: 'quick_reply', text: 'Ok' },
      { type: 'url', text: 'Look', url: 'https://shop.example/o/{{1}}' },
      { type: 'phone', text: 'Call', phone: '+493023125042' },
      { type: 'copy_code', text: 'Copy' },
    ],
  });
  const variables = {
    header: 'A-17',
    body: { name: 'Ann $& {{coffee}}', coffee: 'Kenya' },
    buttons: [
      { index: 3, value: 'SUMMER' },
      { index: 1, value: 'a 17?x=ü' },
    ],
  };
  assert.deepEqual(variableProblems(definition, variables, noMedia), []);
  assert.deepEqual(render(definition, variables), {
    header: { format: 'text', text: 'Order A-17' },
    body: 'Hi Ann $& {{coffee}}! Ann $& {{coffee}}, your Kenya is ready.',
    footer: 'Elbe Coffee',
    buttons: [
      { type: 'quick_reply', text: 'Ok' },
      { type: 'url', text: 'Look', url: 'https://shop.example/o/a%2017?x=%C3%BC' },
      { type: 'phone', text: 'Call', phone: '+493023125042' },
      { type: 'copy_code', text: 'Copy', code: 'SUMMER' },
    ],
  });
});

test('media, location and cards are rendered with what was given', () => {
  const location = { latitude: 53.55, longitude: 9.99, name: 'Roastery' };
  assert.deepEqual(render(template({ header: { format: 'location' } }), { header: location }).header, {
    format: 'location',
    ...location,
  });
  const definition = template({ carousel: [card('{{1}}'), card('{{1}}')] });
  const rendered = render(definition, {
    carousel: ['kenya', 'peru'].map((name) => ({ header: image, body: [name], buttons: [{ index: 0, value: name }] })),
  });
  assert.deepEqual(rendered.carousel?.[1], {
    header: { format: 'image', ...image },
    body: 'peru',
    buttons: [
      { type: 'url', text: 'Look', url: 'https://shop.example/c/peru' },
      { type: 'quick_reply', text: 'Yes' },
    ],
  });
});

/** Words without braces, so that the text around the variables is plain. */
const word = fc.stringMatching(/^[A-Za-z0-9 .,!]{1,12}$/).filter((text) => text.trim() !== '');
const names = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/), { minLength: 1, maxLength: 6 });

test('a body is rendered exactly when every variable has a value, and then has each of them', () => {
  fc.assert(
    fc.property(names, fc.boolean(), fc.array(word, { minLength: 8, maxLength: 8 }), (given, positional, words) => {
      const keys = positional ? given.map((_, index) => String(index + 1)) : given;
      const body = keys.map((key, index) => `${words[index]}{{${key}}}`).join('');
      const values = keys.map((_, index) => `<${words[7]}${index}>`);
      const full = positional ? values : Object.fromEntries(keys.map((key, index) => [key, values[index] ?? '']));
      const definition = template({ body });
      assert.deepEqual(definitionProblems(definition), []);
      assert.deepEqual(variableProblems(definition, { body: full }, noMedia), []);
      const expected = keys.map((_, index) => `${words[index]}${values[index]}`).join('');
      assert.equal(render(definition, { body: full }).body, expected);
      // One less is exactly one problem.
      const less = positional ? values.slice(0, -1) : Object.fromEntries(Object.entries(full).slice(0, -1));
      const problems = variableProblems(definition, { body: less }, noMedia);
      assert.equal(problems.length, 1);
      assert.equal(problems[0]?.missing, true);
    }),
  );
});

test('no value, however strange, breaks the check or leaves the place of its variable', () => {
  const definition = template({
    body: 'a{{1}}b',
    buttons: [{ type: 'url', text: 'Go', url: 'https://shop.example/o/{{1}}' }],
  });
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const variables = { body: [value], buttons: [{ index: 0, value }] };
      if (variableProblems(definition, variables, noMedia).length > 0) return;
      const rendered = render(definition, variables);
      assert.equal(rendered.body, `a${value}b`);
      const [button] = rendered.buttons as [{ url: string }];
      assert.equal(new URL(button.url).origin, 'https://shop.example');
    }),
  );
});
