/**
 * Runs in a page of ours; sent to the browser as text, so it uses nothing but its parameter and the browser. When something has
 * changed the page is fetched again, and what differs is replaced: focus, selection and place stay.
 * @param {{ events: string }} start
 */
export function livePageScript({ events }) {
  const main = /** @type {HTMLElement} */ (document.querySelector('main'));
  const state = /** @type {HTMLElement} */ (document.getElementById('state'));
  const retryMs = 2000;
  /** @type {EventSource | undefined} */
  let source;
  let looking = Promise.resolve();

  /** @type {(now: Node, next: Node) => void} */
  function update(now, next) {
    if (now.isEqualNode(next)) return;
    const isSameElement =
      now instanceof Element && next instanceof Element && now.cloneNode().isEqualNode(next.cloneNode());
    if (!isSameElement) {
      now.parentNode?.replaceChild(next, now);
      return;
    }
    const [old, fresh] = [[...now.childNodes], [...next.childNodes]];
    fresh.forEach((node, at) => {
      const before = old[at];
      if (before) update(before, node);
      else now.append(node);
    });
    for (const node of old.slice(fresh.length)) node.remove();
  }

  async function look() {
    const response = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined);
    if (!response?.ok) return;
    const text = await response.text();
    // Without its head: the styles of the new page carry a nonce that this one's policy does not know.
    const [content] = /<main>.*<\/main>/s.exec(text) ?? [];
    const next = new DOMParser().parseFromString(content ?? '', 'text/html').querySelector('main');
    if (next) update(main, next);
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
