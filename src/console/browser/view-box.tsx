import { useEffect, useRef } from 'preact/hooks';
import { slug } from './app.ts';
import { toasts as toastsIn } from './toasts.js';
import { showView } from './view-frame.js';

interface ViewBoxProps {
  readonly app: string;
  readonly name: string;
  readonly title: string;
  /** Height of the frame until the view says its own, in pixels. */
  readonly height: number;
  /** What it is shown with: `conversation=cnv_…`, `customer=cus_…` or nothing. */
  readonly choice: string;
  readonly onChoices?: () => void;
  readonly onReset?: () => void;
}

const nothing = () => {};

/** A Custom View in its own sandboxed frame, with what it says, asks and fails with. */
export function ViewBox({ app, name, title, height, choice, onChoices = nothing, onReset = nothing }: ViewBoxProps) {
  const holder = useRef<HTMLDivElement>(null);
  const state = useRef<HTMLParagraphElement>(null);
  const problem = useRef<HTMLElement>(null);
  const blocked = useRef<HTMLElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const places = useRef<HTMLDivElement>(null);
  const latest = useRef({ choice, onChoices, onReset });
  latest.current = { choice, onChoices, onReset };
  const view = useRef<ReturnType<typeof showView> | undefined>(undefined);
  useEffect(() => {
    if (!holder.current || !state.current || !problem.current || !blocked.current || !dialog.current || !places.current)
      return;
    const shown = showView(
      { base: `/views/${app}/${name}`, slug, title, height },
      {
        holder: holder.current,
        state: state.current,
        problem: problem.current,
        blocked: blocked.current,
        dialog: dialog.current,
        toast: toastsIn(places.current),
        choice: () => latest.current.choice,
        onChoices: () => latest.current.onChoices(),
        onReset: () => latest.current.onReset(),
      },
    );
    view.current = shown;
    return () => shown.stop();
  }, [app, name]);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) view.current?.choose();
    isFirst.current = false;
  }, [choice]);
  return (
    <div class="view-box">
      <div class="view-frame" id="frame" ref={holder} />
      <p class="view-line small t-3">
        <code>{`${app}/${name}`}</code>
        <span id="state" role="status" aria-live="polite" ref={state}>
          loading
        </span>
      </p>
      <section id="problem" class="card view-problem" role="alert" hidden ref={problem}>
        <strong />
        <pre />
      </section>
      <section id="blocked" class="card view-problem" role="status" hidden ref={blocked}>
        <strong>The browser refused what a view may not do</strong>
        <pre />
      </section>
      <div id="toasts" class="toasts view-toasts" role="status" aria-live="polite" ref={places} />
      <dialog class="view-question" aria-labelledby="question" ref={dialog}>
        <p class="question" id="question" dir="auto" />
        <div class="btns">
          <button type="button" class="btn" value="no" autofocus>
            Cancel
          </button>
          <button type="button" class="btn" data-kind="primary" value="yes">
            OK
          </button>
        </div>
      </dialog>
    </div>
  );
}
