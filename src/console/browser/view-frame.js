/**
 * @typedef {object} ViewParts The places around the frame, and what the page around it does.
 * @property {HTMLElement} holder where the frame stands
 * @property {HTMLElement} state says how the view is
 * @property {HTMLElement} problem a `strong` and a `pre`
 * @property {HTMLElement} blocked a `strong` and a `pre`
 * @property {HTMLDialogElement} dialog with an element of the class `question`, and buttons
 * @property {(text: string, kind: string) => void} toast
 * @property {() => string} choice what it is shown with: `conversation=cnv_…`, `customer=cus_…` or nothing
 * @property {() => void} onChoices there may be others to show it with
 * @property {() => void} onReset what it is shown with may be gone
 */

/**
 * Shows a Custom View, and serves what it asks. The frame has a separate origin (`null`): a message is accepted if it comes from that
 * window and contains its nonce. After that, both communicate through one channel.
 * @param {{ base: string, slug: string, title: string, height: number }} start
 * @param {ViewParts} parts
 * @returns {{ choose: () => void, stop: () => void }} `choose`: it is to be shown with something else
 */
export function showView({ base, slug, title, height }, parts) {
  const { holder, state, problem, blocked, dialog, toast, choice } = parts;
  const leastHeight = 40;
  const mostHeight = 4000;
  const unanswered = 'the workspace does not answer; waiting';
  const retryMs = 2000;
  const signedOut =
    'The browser is not signed in any more: press "o" where fn dev runs, or run "fn open", and load this page again';
  const slowMs = 10_000;
  const mostBlocked = 20;
  const mostClosingMs = 5_000;
  const mostSilentMs = 1_000;
  const mostBusyMs = 3_000;
  /**
   * @typedef {{ frame: HTMLIFrameElement, nonce: string, blocked: Set<string>, port?: MessagePort, build?: string, answered?: () => void, isDone?: true }} View
   * @type {View | undefined}
   */
  let current;

  /**
   * The workspace's answer. Never throws: a failure is `error`, in the form that the Client SDK throws.
   * @returns {Promise<any>}
   */
  const json = async (/** @type {string} */ path, /** @type {unknown} */ body) => {
    const init =
      body === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    try {
      const response = await fetch(base + path, init);
      if (response.ok) return await response.json();
      // The sign-in page is not JSON.
      if (response.status === 401) return { error: { code: 'token_missing', message: signedOut, status: 401 } };
      const { code, detail, status, requestId } = await response.json();
      return { error: { code, message: detail, status, requestId } };
    } catch (error) {
      const message = `The workspace does not answer; is fn dev running? (${error})`;
      return { error: { code: 'workspace_unreachable', message, status: 503 } };
    }
  };

  /** What was last said of the view itself, to be said again when the workspace answers again. */
  let said = '';
  const say = (/** @type {string} */ text) => {
    said = text;
    state.textContent = text;
  };

  /** @param {boolean} [isSeen] true if the visible view failed, false if it was one that is being closed */
  function show(/** @type {string} */ what, /** @type {string} */ text, isSeen = true) {
    const [strong, pre] = problem.children;
    if (strong) strong.textContent = isSeen ? what : `While the view before this one was closed: ${what}`;
    // A stack begins with the error itself.
    if (pre) pre.textContent = text.startsWith(what) ? text.slice(what.length).replace(/^\n/, '') : text;
    problem.hidden = false;
    if (isSeen) say('failed');
  }

  const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

  /** Shows a refusal; without an answer, tries again after a while: the view itself is as good as before. */
  async function refused(
    /** @type {{ code: string, message: string }} */ { code, message },
    /** @type {() => void} */ again,
  ) {
    if (code !== 'workspace_unreachable') return show(message, code);
    state.textContent = unanswered;
    await pause(retryMs);
    again();
  }

  /**
   * @param {View} view one that is being closed
   * @param {number} withinMs
   * @returns {Promise<boolean>} whether it answers: it does not in an endless loop
   */
  function answersStill(view, withinMs) {
    view.port?.postMessage({ type: 'dispose' });
    return new Promise((resolve) => {
      view.answered = () => resolve(true);
      setTimeout(resolve, withinMs, false);
    });
  }

  /**
   * Closes a view, which cleans up while hidden next to its successor; its requests and errors are still handled. A view that does not
   * answer has to be removed first: a browser runs both in one process.
   * @returns when its successor can be shown
   */
  async function close(/** @type {View} */ view) {
    if (view.port && (await answersStill(view, mostSilentMs))) {
      view.frame.hidden = true;
      setTimeout(() => remove(view), mostClosingMs);
      void watch(view);
      return;
    }
    remove(view);
    // The browser ends the frame's process in between.
    await pause(0);
  }

  /** A view can get into an endless loop while it cleans up, too; its successor is then stuck in the same process, and has to be loaded again. */
  async function watch(/** @type {View} */ view) {
    while (view.frame.isConnected) {
      // Longer than before: the successor's start may keep both busy.
      const answers = await answersStill(view, mostBusyMs);
      if (view.isDone) return;
      if (!answers) {
        remove(view);
        return load();
      }
      await pause(mostSilentMs);
    }
  }

  let mostStartMs = mostBusyMs;

  /** Loads a view again that gets no further: its process may be stuck in a loop of the view before, even if that is gone. */
  function startAgain(/** @type {View} */ view) {
    if (view !== current || view.port) return;
    mostStartMs *= 2;
    load();
  }

  function remove(/** @type {View} */ { frame, port }) {
    port?.close();
    frame.remove();
  }

  /** Not randomUUID, which browsers do not provide over http from another machine. */
  const someNonce = () => [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');

  /** @type {Promise<unknown>} What the next view has to wait for. */
  let closings = Promise.resolve();

  function load() {
    const before = current;
    const frame = document.createElement('iframe');
    const nonce = someNonce();
    frame.title = title;
    frame.setAttribute('sandbox', 'allow-scripts allow-forms allow-popups allow-modals allow-downloads');
    // For copy buttons; reading the clipboard is not allowed.
    frame.allow = 'clipboard-write';
    // The same height as the previous one, or the page would jump to its top.
    frame.style.height = before?.frame.style.height ?? `${height}px`;
    frame.src = `${base}/frame?nonce=${nonce}`;
    /** @type {View} */
    const view = { frame, nonce, blocked: new Set() };
    current = view;
    let documents = 0;
    frame.onload = () => {
      if (view === current && ++documents > 1) left();
    };
    setTimeout(() => {
      if (view === current && problem.hidden && state.textContent === 'loading')
        say('still loading: its function has not returned yet');
    }, slowMs);
    const closed = before && close(before);
    closings = Promise.all([closings, closed]).then(() => {
      if (view !== current) return;
      holder.append(frame);
      if (before) setTimeout(() => startAgain(view), mostStartMs);
    });
    // Cancel an open question of the previous view.
    if (dialog.open) dialog.close('');
    problem.hidden = true;
    blocked.hidden = true;
    say('loading');
  }

  /** The frame has left the view's document, so the channel is gone. */
  function left() {
    show(
      'The view has left its own page',
      'It followed a link, sent a form or reloaded itself. Give links target="_blank", and call preventDefault() where a form is submitted. Save the view or load this page to see it again.',
    );
  }

  /** Reports each blocked address once, in addition to an error that may follow from it. */
  async function tellBlocked(/** @type {View} */ view, /** @type {any} */ refused) {
    const { directive, address, place } = refused;
    const key = `${directive} ${address}`;
    if (view.blocked.size >= mostBlocked || view.blocked.has(key)) return;
    view.blocked.add(key);
    const { stack } = await json('/blocked', { directive, address, place, build: view.build });
    const [, pre] = blocked.children;
    if (view !== current || !pre || typeof stack !== 'string') return;
    pre.textContent = blocked.hidden ? stack : `${pre.textContent}\n${stack}`;
    blocked.hidden = false;
  }

  async function handOver(/** @type {View} */ view) {
    if (view !== current || view.port) return;
    const chosen = choice();
    const { error, build, ...started } = await json(`/start?${chosen}`, undefined);
    if (view !== current || view.port) return;
    if (error) return refused(error, () => handOver(view));
    state.textContent = said;
    const { port1, port2 } = new MessageChannel();
    view.port = port1;
    view.build = build;
    mostStartMs = mostBusyMs;
    port1.onmessage = ({ data }) => hear(view, data);
    view.frame.contentWindow?.postMessage({ type: 'fn-view-channel', nonce: view.nonce }, '*', [port2]);
    port1.postMessage({ type: 'start', ...started });
    if (choice() !== chosen) look();
  }

  const answers = {
    toast: async (/** @type {unknown} */ text, /** @type {unknown} */ kind) => toast(String(text), String(kind)),
    openConversation: async (/** @type {unknown} */ id) => {
      window.open(
        `/tenants/${encodeURIComponent(slug)}/conversations/${encodeURIComponent(String(id))}`,
        '_blank',
        'noopener',
      );
    },
    confirm: (/** @type {unknown} */ text, /** @type {unknown} */ _, /** @type {View} */ view) =>
      confirmed(String(text), view),
  };

  async function hear(/** @type {View} */ view, /** @type {any} */ message) {
    if (typeof message !== 'object' || message === null) return;
    const reply = (/** @type {object} */ answer) =>
      view.port?.postMessage({ type: 'answer', id: message.id, ...answer });
    switch (message.type) {
      case 'running':
        if (view === current) say('live');
        return;
      case 'closing':
        return view.answered?.();
      case 'disposed':
        view.isDone = true;
        if (view !== current) remove(view);
        return;
      case 'resize':
        if (view !== current) return;
        view.frame.style.height = `${Math.min(mostHeight, Math.max(leastHeight, Math.ceil(Number(message.height)) || height))}px`;
        return;
      case 'error': {
        const { name, stack } = message;
        const mapped = await json('/error', { name, message: message.message, stack, build: view.build });
        return show(`${name}: ${message.message}`, mapped.stack ?? stack, view === current);
      }
      case 'blocked':
        return tellBlocked(view, message);
      case 'ui': {
        const answer = Object.hasOwn(answers, message.verb)
          ? answers[/** @type {keyof typeof answers} */ (message.verb)]
          : undefined;
        return reply({ ok: await answer?.(message.input, message.kind, view) });
      }
      case 'call':
        return reply(await json('/call', { operation: message.operation, input: message.input }));
    }
  }

  /** @type {Promise<unknown>} The open question and those behind it. */
  let questions = Promise.resolve();
  /** @type {HTMLIFrameElement | undefined} The frame that had the focus before the first of them. */
  let asker;

  /** Asks one question at a time. */
  async function confirmed(/** @type {string} */ text, /** @type {View} */ view) {
    const answer = questions.then(() => view === current && asked(text));
    questions = answer;
    const said = await answer;
    // Not between two questions: the frame would get keys that are meant for the second.
    if (questions === answer) {
      asker?.focus();
      asker = undefined;
    }
    return said;
  }

  /** @returns {Promise<boolean>} */
  function asked(/** @type {string} */ text) {
    const question = /** @type {HTMLElement} */ (dialog.querySelector('.question'));
    question.textContent = text;
    // Otherwise it would keep the previous answer.
    dialog.returnValue = '';
    if (document.activeElement instanceof HTMLIFrameElement) asker = document.activeElement;
    dialog.showModal();
    // Not every browser makes scrollable elements reachable by keyboard.
    question.tabIndex = question.scrollHeight > question.clientHeight ? 0 : -1;
    return new Promise((resolve) => {
      dialog.onclick = ({ target }) => {
        if (target instanceof HTMLButtonElement) dialog.close(target.value);
      };
      dialog.onclose = () => resolve(dialog.returnValue === 'yes');
    });
  }

  let looks = 0;

  /** Sends the view its context, or loads it if it is not the one shown. */
  async function look() {
    const turn = ++looks;
    const { error, build, clockOffsetMs, conversation, customer } = await json(`/start?${choice()}`, undefined);
    // A later call has taken over.
    if (turn !== looks || !current?.port) return;
    if (error) return refused(error, () => turn === looks && look());
    if (build !== current.build) return load();
    state.textContent = said;
    current.port.postMessage({ type: 'context', clockOffsetMs, conversation, customer });
  }

  const isStopped = new AbortController();
  const { signal } = isStopped;

  window.addEventListener(
    'message',
    ({ source, data }) => {
      const view = current;
      if (!view || source !== view.frame.contentWindow) return;
      if (data?.type === 'fn-view-ready' && data.nonce === view.nonce) handOver(view);
    },
    { signal },
  );

  /** Reloads after a problem, which may be fixed by now. */
  const refresh = () => (problem.hidden ? look() : load());

  /** @type {EventSource | undefined} */
  let events;
  let isBehind = document.hidden;
  let lost = false;

  function follow() {
    const source = new EventSource(`${base}/events`);
    events = source;
    source.addEventListener('reload', load);
    source.addEventListener('context', look);
    source.addEventListener('choices', parts.onChoices);
    source.addEventListener('problem', ({ data }) => {
      const told = JSON.parse(data);
      show(told.title, told.text);
    });
    // The page chooses again from what exists now.
    source.addEventListener('reset', parts.onReset);
    source.onerror = async () => {
      isBehind = true;
      lost = true;
      state.textContent = unanswered;
      // Otherwise the browser reconnects by itself.
      if (source.readyState !== EventSource.CLOSED) return;
      const { error } = await json(`/start?${choice()}`, undefined);
      if (error?.status === 401) show(error.message, error.code);
      else setTimeout(() => source === events && follow(), retryMs);
    };
    // Not before: what changes until then is told to nobody.
    source.onopen = () => {
      if (lost && !current?.port) load();
      else if (isBehind) refresh();
      if (isBehind) parts.onChoices();
      isBehind = false;
      lost = false;
    };
  }

  // A browser opens six connections per host: hidden tabs would keep others from loading.
  document.addEventListener(
    'visibilitychange',
    () => {
      events?.close();
      events = undefined;
      isBehind = true;
      if (!document.hidden) follow();
    },
    { signal },
  );
  if (!document.hidden) follow();
  load();
  return {
    choose: refresh,
    stop() {
      isStopped.abort();
      events?.close();
      events = undefined;
      if (current) remove(current);
      current = undefined;
      // An open question is answered by nobody any more.
      if (dialog.open) dialog.close('');
    },
  };
}
