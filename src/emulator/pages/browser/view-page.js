/**
 * Runs in the page around a Custom View; sent to the browser as text, so it uses nothing but its parameter and the browser.
 * The frame has an origin of its own (`null`): a message counts when it comes from that very window and knows the nonce
 * made for it; from then on the two talk through one channel.
 * @param {{ base: string, slug: string, height: number }} start
 */
export function viewPageScript({ base, slug, height }) {
  const at = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const holder = at('frame');
  const state = at('state');
  const problem = at('problem');
  const seenWith = /** @type {HTMLSelectElement | null} */ (document.getElementById('seen-with'));
  const leastHeight = 40;
  const mostHeight = 4000;
  /** @type {{ frame: HTMLIFrameElement, nonce: string, port?: MessagePort } | undefined} */
  let current;

  const json = async (/** @type {string} */ path, /** @type {unknown} */ body) => {
    const init =
      body === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(base + path, init);
    return await response.json();
  };

  const say = (/** @type {string} */ text) => {
    state.textContent = text;
  };

  function show(/** @type {string} */ title, /** @type {string} */ text) {
    const [strong, pre] = problem.children;
    if (strong) strong.textContent = title;
    if (pre) pre.textContent = text;
    problem.hidden = false;
    say('failed');
  }

  function load() {
    current?.port?.postMessage({ type: 'dispose' });
    current?.port?.close();
    const frame = document.createElement('iframe');
    const nonce = crypto.randomUUID();
    frame.title = document.title;
    frame.setAttribute('sandbox', 'allow-scripts allow-forms allow-popups allow-modals allow-downloads');
    frame.style.height = `${height}px`;
    frame.src = `${base}/frame?nonce=${nonce}`;
    current = { frame, nonce };
    holder.replaceChildren(frame);
    problem.hidden = true;
    say('loading');
  }

  async function handOver(/** @type {NonNullable<typeof current>} */ view) {
    const started = await json(`/start?${seenWith?.value ?? ''}`, undefined);
    if (view !== current || view.port) return;
    const { port1, port2 } = new MessageChannel();
    view.port = port1;
    port1.onmessage = ({ data }) => hear(view, data);
    view.frame.contentWindow?.postMessage({ type: 'fn-view-channel', nonce: view.nonce }, '*', [port2]);
    port1.postMessage({ type: 'start', ...started });
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
    confirm: (/** @type {unknown} */ text) => confirmed(String(text)),
  };

  async function hear(/** @type {NonNullable<typeof current>} */ view, /** @type {any} */ message) {
    if (view !== current || typeof message !== 'object' || message === null) return;
    const reply = (/** @type {object} */ answer) =>
      view.port?.postMessage({ type: 'answer', id: message.id, ...answer });
    switch (message.type) {
      case 'running':
        return say('live');
      case 'resize':
        view.frame.style.height = `${Math.min(mostHeight, Math.max(leastHeight, Math.ceil(Number(message.height)) || height))}px`;
        return;
      case 'error': {
        const { stack } = await json('/error', { name: message.name, message: message.message, stack: message.stack });
        return show(`${message.name}: ${message.message}`, stack);
      }
      case 'ui': {
        const answer = Object.hasOwn(answers, message.verb)
          ? answers[/** @type {keyof typeof answers} */ (message.verb)]
          : undefined;
        return reply({ ok: await answer?.(message.input, message.kind) });
      }
      case 'call':
        try {
          return reply(
            await json('/call', {
              operation: message.operation,
              input: message.input,
              seenWith: seenWith?.value ?? '',
            }),
          );
        } catch (error) {
          return reply({ error: { code: 'workspace_unreachable', message: String(error), status: 503 } });
        }
    }
  }

  function toast(/** @type {string} */ text, /** @type {string} */ kind) {
    const note = document.createElement('div');
    note.textContent = text;
    note.dataset['kind'] = kind;
    // What went wrong is said at once; the rest when a screen reader has a pause.
    if (kind === 'error') note.role = 'alert';
    at('toasts').append(note);
    setTimeout(() => note.remove(), 5000);
  }

  /** @returns {Promise<boolean>} */
  function confirmed(/** @type {string} */ text) {
    const dialog = /** @type {HTMLDialogElement} */ (at('confirm'));
    at('question').textContent = text;
    dialog.showModal();
    return new Promise((resolve) => {
      dialog.onclick = ({ target }) => {
        if (target instanceof HTMLButtonElement) dialog.close(target.value);
      };
      dialog.onclose = () => resolve(dialog.returnValue === 'yes');
    });
  }

  async function look() {
    const { conversation, customer } = await json(`/start?${seenWith?.value ?? ''}`, undefined);
    current?.port?.postMessage({ type: 'context', conversation, customer });
  }

  window.addEventListener('message', ({ source, data }) => {
    const view = current;
    if (!view || source !== view.frame.contentWindow) return;
    if (data?.type === 'fn-view-ready' && data.nonce === view.nonce) handOver(view);
  });
  seenWith?.addEventListener('change', look);

  const events = new EventSource(`${base}/events`);
  events.addEventListener('reload', load);
  events.addEventListener('context', look);
  events.addEventListener('problem', ({ data }) => {
    const { title, text } = JSON.parse(data);
    show(title, text);
  });
  events.onerror = () => say('the workspace does not answer; waiting');
  events.onopen = () => {
    if (state.textContent?.startsWith('the workspace')) load();
  };
  load();
}
