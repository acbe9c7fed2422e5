import type { Output } from '../../contract/index.ts';
import type { SourcePlace } from '../model/editor.ts';
import { shorten } from '../model/format.ts';
import { about, copy, useQuery } from './app.ts';
import { OpenInEditor, SourceLink } from './open-in-editor.tsx';
import { Icon, Square, Status } from './parts.tsx';

type Build = Output<'builds.list'>['items'][number];

/** What is known of how each function builds. */
export function useBuilds(): readonly Build[] {
  const concerns = about(/^(?:live\.build|app\.|function\.deployed)/);
  return useQuery('builds.list', { limit: 200 }, concerns)?.data.value?.items ?? [];
}

/** Functions that do not build now. */
export const useBroken = (): readonly Build[] => useBuilds().filter(({ problem }) => problem !== null);

/** The file of a function of the app in development; undefined of others. */
export function useSourceFile(app: string | undefined, name: string | undefined): SourcePlace | undefined {
  const file = useBuilds().find((build) => build.app === app && build.function === name)?.file;
  return file ? { file } : undefined;
}

/** What does not build, with its line in the source, before everything else. */
export function BuildProblems({ builds }: { readonly builds: readonly Build[] }) {
  if (builds.length === 0) return null;
  return (
    <div class="problem-place stack">
      {[...Map.groupBy(builds, causeOf).values()].map((same) => (
        <Card key={`${same[0]?.app}/${same[0]?.function}`} builds={same} />
      ))}
    </div>
  );
}

/** What is wrong: functions that fail for one cause share a card. */
const causeOf = ({ app, state, function: name, problem }: Build): string => {
  const { code, file, line, column, hint, text } = problem ?? {};
  // Without a place the message is all that tells problems apart.
  return JSON.stringify([app, state, code, file, line, column, hint, text, line ? null : name]);
};

function Card({ builds }: { readonly builds: readonly Build[] }) {
  const [first] = builds;
  if (!first?.problem) return null;
  const { state, problem } = first;
  const names = builds.map((build) => build.function);
  const name = names.join(', ');
  const isOne = names.length === 1;
  const { code, message, hint, file, line, column, text } = problem;
  const place = [file, line, column].filter((part) => part !== null).join(':');
  const [said = '', ...more] = message.split(/\n+/);
  return (
    <section class="card problem-card" aria-label={`Build problem of ${name}`}>
      <header>
        <Status state="error" />
        <div class="grow">
          <p>
            <strong>{isOne ? `${name} does not build.` : `${names.length} functions do not build.`}</strong>{' '}
            <span class="t-2">{wordsOfState(state, isOne)}</span>
          </p>
          <p class="small t-2" hidden={isOne}>
            {name}
          </p>
          <p class="small">
            {file === null ? <code class="t-2">{code}</code> : <SourceLink place={{ file, line, column }} />}
          </p>
        </div>
        {file !== null && <OpenInEditor place={{ file, line, column }} />}
        <Square
          icon="copy"
          label="Copy the problem"
          small
          onClick={() => copy(`${place}\n${message}`, 'the problem')}
        />
      </header>
      {text !== null && line !== null && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
        <pre class="frame" tabIndex={0}>
          <b data-hot>{line}</b>
          <span data-hot>{text}</span>
        </pre>
      )}
      <p class="problem-say lines">
        <span class="sr">Problem: </span>
        {isOne || said !== `${first.function} does not build` ? shorten(said, 500) : 'They fail for the same reason.'}
        {text === null && more.length > 0 && `\n${more.join('\n')}`}
        {hint !== null && `\n${hint}`} <code>{code}</code>
      </p>
    </section>
  );
}

function wordsOfState(state: Build['state'], isOne: boolean): string {
  if (state === 'stale')
    return isOne ? 'Its last good version keeps serving.' : 'Their last good versions keep serving.';
  return isOne ? 'It serves nothing.' : 'They serve nothing.';
}

/** How many functions do not build, for the navigation. */
export function BrokenCount() {
  const { length } = useBroken();
  if (length === 0) return null;
  return (
    <span class="count" data-tone="error">
      {length}
      <span class="sr"> {length === 1 ? 'does' : 'do'} not build</span>
    </span>
  );
}

/** The mark beside a function that does not build. */
export function NotBuilt() {
  return (
    <span class="badge" data-tone="error">
      <Icon name="s-error" size={12} />
      not built
    </span>
  );
}
