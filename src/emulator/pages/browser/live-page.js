/**
 * Runs in one of our pages; sent to the browser as text, so it uses only its parameter and the browser. After a change the page is
 * fetched again, and the differences are replaced: focus, selection and scroll position stay.
 * @param {{ events: string, isProblem: boolean }} start
 */
export function livePageScript({ events, isProblem }) {
  const main = /** @type {HTMLElement} */ (document.querySelector('main'));
  const state = /** @type {HTMLElement} */ (document.getElementById('state'));
  const retryMs = 2000;
  /** @type {EventSource | undefined} */
  let source;
  let looking = Promise.resolve();

  // A conversation starts at its end. After returning to the page, or scrolling up, the position is kept.
  const page = document.documentElement;
  const isChat = main.querySelector('.chat') !== null;
  const isAtEnd = () => isChat && innerHeight + scrollY >= page.scrollHeight - 40;
  const toEnd = () => scrollTo(0, page.scrollHeight);
  const [visit] = performance.getEntriesByType('navigation');
  if (isChat && visit instanceof PerformanceNavigationTiming && visit.type === 'navigate') {
    toEnd();
    addEventListener('load', toEnd, { once: true });
  }

  /** @type {(now: Node, next: Node) => void} */
  function update(now, next) {
    if (now.isEqualNode(next)) return;
    const isSameElement =
      now instanceof Element && next instanceof Element && now.cloneNode().isEqualNode(next.cloneNode());
    if (!isSameElement) {
      now.parentNode?.replaceChild(next, now);
      return;
    }
    const fresh = [...next.childNodes];
    const known = new Map();
    // Elements with an id are kept wherever they are, so that the focus and half-written text stay.
    const ids = new Set(fresh.map(idOf));
    for (const node of [...now.childNodes]) {
      const id = idOf(node);
      if (id === '') continue;
      if (ids.has(id)) known.set(id, node);
      else node.remove();
    }
    let place = now.firstChild;
    const passed = () => {
      const node = /** @type {ChildNode} */ (place);
      place = node.nextSibling;
      return node;
    };
    for (const node of fresh) {
      const kept = known.get(idOf(node));
      // Moving an element would lose its focus, so the elements in front of it are removed instead.
      while (kept && place && idOf(place) === '') passed().remove();
      const old = kept ?? (place && idOf(place) === '' ? place : undefined);
      if (old && old === place) passed();
      else now.insertBefore(old ?? node, place);
      if (old) update(old, node);
    }
    while (place) passed().remove();
  }

  const idOf = (/** @type {Node} */ node) => (node instanceof Element ? node.id : '');

  async function look() {
    const response = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined);
    if (!response) return;
    if (isProblem && response.ok) return location.reload();
    if (!isProblem && response.status === 404) state.textContent = 'what is shown here no longer exists';
    if (!isProblem && !response.ok) return;
    const text = await response.text();
    // Without its head: the new page's styles have a nonce that this page's policy does not allow.
    const [content] = /<main>.*<\/main>/s.exec(text) ?? [];
    const next = new DOMParser().parseFromString(content ?? '', 'text/html').querySelector('main');
    if (!next) return;
    const follows = isAtEnd();
    update(main, next);
    if (follows) toEnd();
  }

  function lookNext() {
    looking = looking.then(look);
  }

  const signedOut = 'not signed in any more: press "o" where fn dev runs';
  let isSending = false;

  /** Sends a message in place: a submitted form would load the page again, and every message would be a step of its own for the back button. */
  async function send(/** @type {HTMLFormElement} */ form) {
    const field = /** @type {HTMLInputElement} */ (form.elements.namedItem('text'));
    const text = field.value;
    if (isSending) return;
    isSending = true;
    const response = await fetch(location.href, { method: 'POST', body: new URLSearchParams({ text }) }).catch(
      () => undefined,
    );
    isSending = false;
    if (!response) state.textContent = 'not sent: the workspace does not answer';
    else if (response.status === 401) state.textContent = `not sent: ${signedOut}`;
    else if (!response.ok) state.textContent = `not sent: ${(await response.json()).detail}`;
    else {
      state.textContent = '';
      // Something else may have been written meanwhile.
      if (field.value === text) field.value = '';
      field.focus();
      lookNext();
      await looking;
      toEnd();
    }
  }

  main.addEventListener('submit', (event) => {
    event.preventDefault();
    send(/** @type {HTMLFormElement} */ (event.target));
  });

  // A browser has six connections per host: a hidden page must not keep one.
  function follow() {
    source?.close();
    source = undefined;
    if (document.hidden) return;
    const opened = new EventSource(events);
    source = opened;
    opened.addEventListener('changed', lookNext);
    opened.onopen = () => {
      state.textContent = '';
      lookNext();
    };
    opened.onerror = async () => {
      state.textContent = 'the workspace does not answer; waiting';
      // Otherwise the browser reconnects by itself.
      if (opened.readyState !== EventSource.CLOSED) return;
      const response = await fetch(location.href).catch(() => undefined);
      if (response?.status === 401) state.textContent = signedOut;
      else setTimeout(() => source === opened && follow(), retryMs);
    };
  }

  document.addEventListener('visibilitychange', follow);
  follow();
}
