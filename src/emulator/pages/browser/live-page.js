/**
 * Runs in a page of ours; sent to the browser as text, so it uses nothing but its parameter and the browser. When something has
 * changed the page is fetched again, and what differs is replaced: focus, selection and place stay.
 * @param {{ events: string, isProblem: boolean }} start
 */
export function livePageScript({ events, isProblem }) {
  const main = /** @type {HTMLElement} */ (document.querySelector('main'));
  const state = /** @type {HTMLElement} */ (document.getElementById('state'));
  const retryMs = 2000;
  /** @type {EventSource | undefined} */
  let source;
  let looking = Promise.resolve();

  // A conversation is read from its end. Who has come back to the page, or has gone up in it, is left where they are.
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
    // What has an id stays the element it is, wherever it stands: who writes in it or has reached it by the keyboard is left there.
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
      // An element that is moved loses the focus: what stands before it goes instead.
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
    if (!isProblem && response.status === 404) state.textContent = 'what is shown here is not there any more';
    if (!isProblem && !response.ok) return;
    const text = await response.text();
    // Without its head: the styles of the new page carry a nonce that this one's policy does not know.
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

  // A browser has six connections to a host: a page that nobody looks at must not keep one.
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
      // Else the browser tries again by itself.
      if (opened.readyState !== EventSource.CLOSED) return;
      const response = await fetch(location.href).catch(() => undefined);
      if (response?.status === 401) state.textContent = 'not signed in any more: press "o" where fn dev runs';
      else setTimeout(() => source === opened && follow(), retryMs);
    };
  }

  document.addEventListener('visibilitychange', follow);
  follow();
}
