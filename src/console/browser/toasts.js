/**
 * Shows the toasts of a view; sent to the browser as text, so it uses only its parameter and the browser. Repeated toasts are
 * shown once with a count, and only the newest few are kept.
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
    note.dir = 'auto';
    // Screen readers announce errors at once, other toasts at the next pause.
    if (kind === 'error') note.role = 'alert';
    note.append(text);
    return note;
  }

  function leaveLater(/** @type {HTMLElement} */ note) {
    const times = note.dataset['times'];
    setTimeout(() => {
      // It was repeated meanwhile.
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
    // Not every browser makes scrollable elements reachable by keyboard.
    for (const each of notes()) {
      if (each.scrollHeight > each.clientHeight) each.tabIndex = 0;
      else each.removeAttribute('tabindex');
    }
    leaveLater(note);
  };
}
