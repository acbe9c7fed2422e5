import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { curlLine, invokeLine } from '../model/command-lines.ts';
import { formatMs, prettyJson } from '../model/format.ts';
import { isRecord, type Problem } from '../model/problem.ts';
import { type FormField, fieldsOf, fitsForm, parseJson, textOfValue, valueOfText } from '../model/schema-form.ts';
import { call, copy, never, tokenFile, typeTitles, useQuery } from './app.ts';
import { useSourceFile } from './build-problems.tsx';
import { useKeys } from './keys.ts';
import { OpenInEditor } from './open-in-editor.tsx';
import { Code, ProblemNotice, Segments, Square, Status, useAction } from './parts.tsx';
import { at, go, query } from './router.ts';
import type { LiveFunction } from './use-functions.ts';

interface Outcome {
  readonly invocationId: string;
  readonly wallMs: number;
  readonly result?: unknown;
  readonly problem?: Problem;
}

/** The schema of a function's input. */
function schemaOf({ type, config }: LiveFunction): unknown {
  if (type === 'custom-app-setup') return config['settings'];
  if (type !== 'server-side-method') return config['input'];
  return isRecord(config['expose']) ? config['expose']['input'] : undefined;
}

/** One function: a form for its input, what it answered, and the commands that do the same. */
export function InvokePane({ live }: { readonly live: LiveFunction }) {
  const { app, name, type, isLocal } = live;
  const fields = useMemo(() => fieldsOf(schemaOf(live)), [live]);
  const source = useSourceFile(app, name);
  const fixtures = useQuery('fixtures.list', { app, function: name }, never)?.data.value?.items;
  const given = query.value.get('input');
  const [isJson, setJson] = useState(fields === undefined);
  const [text, setText] = useState('');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({});
  const [conversationId, setConversation] = useState('');
  const [outcome, setOutcome] = useState<Outcome>();
  const [saveAs, setSaveAs] = useState<string>();
  const form = useRef<HTMLFormElement>(null);

  const fill = (input: unknown) => {
    setWrong({});
    if (fields && fitsForm(fields, input)) {
      const from = isRecord(input) ? input : {};
      setValues(Object.fromEntries(fields.map((field) => [field.name, textOfValue(field, from[field.name])])));
      setText(prettyJson(input ?? {}));
      return;
    }
    setJson(true);
    setText(input === undefined ? '' : prettyJson(input));
  };
  const isFilled = useRef(false);
  useEffect(() => {
    // What somebody has begun to write is not replaced by what comes late.
    if (isFilled.current || (given === null && fixtures === undefined)) return;
    isFilled.current = true;
    if (given !== null) {
      try {
        fill(JSON.parse(given));
      } catch {
        fill(undefined);
      }
    } else fill((fixtures?.find((one) => one.name === 'default') ?? fixtures?.[0])?.input);
  }, [given, fixtures]);

  /** The input of the form; undefined, with what is wrong said at the fields. */
  const inputOf = (): { readonly input: unknown } | undefined => {
    const problems: Record<string, string> = {};
    const read = (field: string, get: () => unknown) => {
      try {
        return get();
      } catch (error) {
        problems[field] = error instanceof Error ? error.message : String(error);
        return undefined;
      }
    };
    const input =
      isJson || !fields
        ? text.trim() === ''
          ? undefined
          : read('', () => parseJson(text))
        : Object.fromEntries(
            fields
              .map(
                (field) => [field.name, read(field.name, () => valueOfText(field, values[field.name] ?? ''))] as const,
              )
              .filter(([, value]) => value !== undefined),
          );
    setWrong(problems);
    return Object.keys(problems).length > 0 ? undefined : { input };
  };

  const { act: invoke, isBusy } = useAction(async () => {
    const wanted = inputOf();
    if (!wanted) return;
    try {
      const done = await call('functions.invoke', {
        app,
        name,
        ...(wanted.input !== undefined && { input: wanted.input as never }),
        ...(conversationId !== '' && { conversationId: conversationId as never }),
      });
      setOutcome(done);
    } catch (error) {
      const problem = error as Problem;
      const { invocationId, wallMs } = problem.details;
      setOutcome({ invocationId: String(invocationId ?? ''), wallMs: Number(wallMs ?? 0), problem });
    }
  });
  const save = useAction(async (as: string) => {
    const wanted = inputOf();
    if (!wanted || wanted.input === undefined) return;
    await call('fixtures.save', { app, function: name, name: as, input: wanted.input as never });
    setSaveAs(undefined);
  });
  const lines = linesOf(live, draftOf(fields, isJson, values, text));
  const copyLine = () => void copy(lines.fn, 'the line');
  const copyCurl = () => lines.curl !== undefined && void copy(lines.curl, 'the request');
  useKeys({
    Escape: () => go(at({ page: 'functions' })),
    r: () => invoke(),
    x: copyLine,
    c: copyCurl,
    s: () => isLocal && setSaveAs(''),
  });
  const inConversation = type === 'ai-tool' || type === 'custom-flow-node';
  return (
    <section class="pane" aria-label={`Invoke ${name}`} data-part="inspector">
      <header class="pane-head">
        <Square icon="left" label="Back to the functions" only="narrow" onClick={() => go(at({ page: 'functions' }))} />
        <h2 class="cut">
          <code class="h-code">{name}</code>
        </h2>
        <span class="badge">{typeTitles[type]}</span>
        <span class="grow" />
        <OpenInEditor place={source} />
        <Square icon="close" label="Close (Esc)" onClick={() => go(at({ page: 'functions' }))} />
      </header>
      <div class="pane-body scroll" data-gutter>
        <form
          class="section stack"
          ref={form}
          onSubmit={(event) => {
            event.preventDefault();
            invoke();
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) invoke();
          }}
        >
          {fixtures && fixtures.length > 0 && (
            <div class="field">
              <label for="fixture">Fixture</label>
              <select
                class="select"
                id="fixture"
                onChange={({ currentTarget }) => fill(fixtures[currentTarget.selectedIndex]?.input)}
              >
                {fixtures.map((fixture) => (
                  <option key={fixture.name}>{fixture.name}</option>
                ))}
              </select>
            </div>
          )}
          {inConversation && <ConversationChoice chosen={conversationId} onChoose={setConversation} />}
          <div class="field">
            <span class="label">
              <span>Input</span>
              {fields && (
                <Segments
                  label="Edit as"
                  choices={[
                    { value: 'form', label: 'Form' },
                    { value: 'json', label: 'JSON' },
                  ]}
                  chosen={isJson ? 'json' : 'form'}
                  onChoose={(as) => {
                    const wanted = inputOf();
                    if (!wanted) return;
                    if (as === 'json') {
                      setText(prettyJson(wanted.input ?? {}));
                      setJson(true);
                    } else if (fitsForm(fields, wanted.input)) {
                      setJson(false);
                      fill(wanted.input);
                    } else setWrong({ '': 'does not fit the form' });
                  }}
                />
              )}
            </span>
          </div>
          {isJson || !fields ? (
            <JsonField
              text={text}
              wrong={wrong['']}
              onInput={(value) => {
                isFilled.current = true;
                setText(value);
              }}
            />
          ) : (
            fields.map((field) => (
              <Field
                key={field.name}
                field={field}
                text={values[field.name] ?? ''}
                wrong={wrong[field.name]}
                onInput={(value) => {
                  isFilled.current = true;
                  setValues({ ...values, [field.name]: value });
                }}
              />
            ))
          )}
          {fields?.length === 0 && !isJson && <p class="help">It takes no input.</p>}
          <div class="btns">
            <button type="submit" class="btn" data-kind="primary" disabled={isBusy}>
              {isBusy ? 'Running…' : 'Invoke'}
              <kbd class="kbd">Ctrl ↵</kbd>
            </button>
            {isLocal && (
              <button type="button" class="btn" onClick={() => setSaveAs(saveAs === undefined ? '' : undefined)}>
                Save as fixture
              </button>
            )}
            <span class="grow" />
            {live.url !== null && <Square icon="link" label="Copy as curl (c)" onClick={copyCurl} />}
            <Square icon="terminal" label="Copy as fn invoke (x)" onClick={copyLine} />
          </div>
          {saveAs !== undefined && (
            <div class="field">
              <label for="save-as">Name of the fixture</label>
              <div class="btns">
                <input
                  class="input"
                  id="save-as"
                  value={saveAs}
                  onInput={(event) => setSaveAs(event.currentTarget.value)}
                />
                <button type="button" class="btn" disabled={save.isBusy} onClick={() => save.act(saveAs)}>
                  Save
                </button>
              </div>
              {save.problem && <ProblemNotice problem={save.problem} />}
            </div>
          )}
        </form>
        {outcome && <Result outcome={outcome} />}
        <section class="section" aria-label="The same in a terminal">
          <CommandLine text={lines.curl ?? lines.fn} />
        </section>
      </div>
    </section>
  );
}

/** The input as far as the form holds one; undefined while it does not. */
function draftOf(
  fields: readonly FormField[] | undefined,
  isJson: boolean,
  values: Readonly<Record<string, string>>,
  text: string,
): unknown {
  try {
    if (isJson || !fields) return text.trim() === '' ? undefined : parseJson(text);
    const members = fields.map((field) => [field.name, valueOfText(field, values[field.name] ?? '')] as const);
    return Object.fromEntries(members.filter(([, value]) => value !== undefined));
  } catch {
    return undefined;
  }
}

/** The commands that do the same. */
function linesOf({ app, name, url, config, isLocal }: LiveFunction, input: unknown): { fn: string; curl?: string } {
  const fn = invokeLine(app, name, input, isLocal, tokenFile !== undefined);
  const { expose } = config;
  if (!isRecord(expose) || url === null) return { fn };
  const methods = Array.isArray(expose['methods']) ? expose['methods'].map(String) : [];
  const method = methods.includes('POST') ? 'POST' : (methods[0] ?? 'GET');
  const auth = expose['auth'] === 'public' ? 'public' : 'token';
  const body = method === 'GET' ? undefined : (input ?? {});
  return { fn, curl: curlLine({ method, url, auth, body }, tokenFile) };
}

function CommandLine({ text }: { readonly text: string }) {
  return (
    <div class="command">
      <code class="cut grow">{text}</code>
      <Square icon="copy" label="Copy the line" small onClick={() => copy(text, 'the line')} />
    </div>
  );
}

function ConversationChoice({
  chosen,
  onChoose,
}: {
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}) {
  const conversations = useQuery('conversations.list', { inbox: 'all', limit: 50 }, never)?.data.value?.items ?? [];
  return (
    <div class="field">
      <label for="in-conversation">Conversation</label>
      <select
        class="select"
        id="in-conversation"
        value={chosen}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        <option value="">None</option>
        {conversations.map(({ id }) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
    </div>
  );
}

function JsonField(props: {
  readonly text: string;
  readonly wrong: string | undefined;
  readonly onInput: (text: string) => void;
}) {
  return (
    <div class="field">
      <label class="sr" for="input-json">
        Input as JSON
      </label>
      <textarea
        class="textarea mono"
        id="input-json"
        rows={Math.min(16, Math.max(4, props.text.split('\n').length))}
        spellcheck={false}
        value={props.text}
        aria-invalid={props.wrong !== undefined}
        aria-describedby={props.wrong === undefined ? undefined : 'input-json-error'}
        onInput={(event) => props.onInput(event.currentTarget.value)}
      />
      {props.wrong !== undefined && (
        <p class="problem" id="input-json-error" role="alert">
          {props.wrong}
        </p>
      )}
    </div>
  );
}

function Field(props: {
  readonly field: FormField;
  readonly text: string;
  readonly wrong: string | undefined;
  readonly onInput: (text: string) => void;
}) {
  const { field, text, wrong } = props;
  const id = `field-${field.name}`;
  const described = [field.help && `${id}-help`, wrong && `${id}-error`].filter(Boolean).join(' ');
  const common = {
    id,
    value: text,
    'aria-invalid': wrong !== undefined,
    'aria-describedby': described === '' ? undefined : described,
    onInput: (event: Event) => props.onInput((event.currentTarget as HTMLInputElement).value),
  };
  return (
    <div class="field">
      <label for={id}>
        {field.name} <span class="t-3">{field.what}</span>
      </label>
      {field.kind === 'choice' || field.kind === 'boolean' ? (
        <select class="select" {...common}>
          {!field.isRequired && <option value="" />}
          {(field.choices ?? ['true', 'false']).map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : field.isLong ? (
        <textarea class={field.kind === 'json' ? 'textarea mono' : 'textarea'} rows={2} {...common} />
      ) : (
        <input class="input" inputMode={field.kind === 'number' ? 'decimal' : undefined} {...common} />
      )}
      {field.help && (
        <p class="help" id={`${id}-help`}>
          {field.help}
        </p>
      )}
      {wrong !== undefined && (
        <p class="problem" id={`${id}-error`} role="alert">
          {wrong}
        </p>
      )}
    </div>
  );
}

function Result({ outcome: { invocationId, wallMs, result, problem } }: { readonly outcome: Outcome }) {
  return (
    <div class="section" aria-live="polite">
      <div class="section-head">
        <h3>Result</h3>
        <Status state={problem ? 'error' : 'ok'} word />
        <span class="t-3 small">{formatMs(wallMs)}</span>
        <span class="grow" />
        {invocationId !== '' && (
          <a class="link small" href={at({ page: 'invocations', id: invocationId })}>
            Open
          </a>
        )}
      </div>
      {problem ? <ProblemNotice problem={problem} /> : <Code title="Result" value={result} />}
    </div>
  );
}
