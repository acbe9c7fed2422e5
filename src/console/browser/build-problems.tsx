import type { Output } from '../../contract/index.ts';
import type { SourcePlace } from '../model/editor.ts';
import { shorten } from '../model/format.ts';
import { about, copy, useQuery } from './app.ts';
import { OpenInEditor, SourceLink } from './open-in-editor.tsx';
import { Icon, Square, Status } from './parts.tsx';

type Build = Output<'builds.list'>['items'][number];

function useBuilds(): readonly Build[] {
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
      {builds.map((build) => (
        <Card key={`${build.app}/${build.function}`} build={build} />
      ))}
    </div>
  );
}

function Card({ build }: { readonly build: Build }) {
  const { function: name, state, problem } = build;
  if (problem === null) return null;
  const { code, message, hint, file, line, column, text } = problem;
  const place = [file, line, column].filter((part) => part !== null).join(':');
  const [said = '', ...more] = message.split(/\n+/);
  return (
    <section class="card problem-card" aria-label={`Build problem of ${name}`}>
      <header>
        <Status state="error" />
        <div class="grow">
          <p>
            <strong>{name} does not build.</strong>{' '}
            <span class="t-2">{state === 'stale' ? 'Its last good version keeps serving.' : 'It serves nothing.'}</span>
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
        {shorten(said, 500)}
        {text === null && more.length > 0 && `\n${more.join('\n')}`}
        {hint !== null && `\n${hint}`} <code>{code}</code>
      </p>
    </section>
  );
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
