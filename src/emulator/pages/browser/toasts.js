/**
 * Shows the notices of a view; sent to the browser as text, so it uses nothing but its parameter and the browser. A view that
 * repeats itself is shown once with a count, and one that never stops leaves the newest few.
 * @param {HTMLElement} place
 */
export function toasts(place) {
  const mostToasts = 5;
  const toastMs = 5000;
  const isRead = (/** @type {Element} */ note) => note.matches(':focus, :hover');
  const notes = () => /** @type {HTMLElement[]} */ ([...place.children]);

  /** @returns {HTMLElement} */
  function noteOf(/** @type {string} */ text, /** @type {string} */ kind) {
    const note = document.createElement('div');
    note.dataset['kind'] = kind;
    // What went wrong is said at once; the rest when a screen reader has a pause.
    if (kind === 'error') note.role = 'alert';
    note.append(text);
    return note;
  }

  function leaveLater(/** @type {HTMLElement} */ note) {
    const times = note.dataset['times'];
    setTimeout(() => {
      // It was said again since.
      if (note.dataset['times'] !== times) return;
      if (isRead(note)) leaveLater(note);
      else note.remove();
    }, toastMs);
  }

  return (/** @type {string} */ text, /** @type {string} */ kind) => {
    const known = notes().find((note) => note.firstChild?.textContent === text && note.dataset['kind'] === kind);
    const note = known ?? noteOf(text, kind);
    if (known) note.dataset['times'] = String(Number(note.dataset['times'] ?? 1) + 1);
    else {
      for (const old of notes().slice(0, 1 - mostToasts)) old.remove();
      place.append(note);
    }
    // Not every browser lets the keyboard reach what scrolls.
    for (const each of notes()) {
      if (each.scrollHeight > each.clientHeight) each.tabIndex = 0;
      else each.removeAttribute('tabindex');
    }
    leaveLater(note);
  };
}
