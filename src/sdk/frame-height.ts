/** The part of a frame's window that tells its height and when it changes. */
interface Window {
  readonly innerHeight: number;
  readonly document: { readonly documentElement: { readonly clientHeight: number } };
  readonly ResizeObserver?: new (callback: () => void) => { observe(target: unknown): void };
  addEventListener(type: 'resize', listener: () => void): void;
}

/**
 * Keeps the frame of a Custom View as high as its container, and at least as high as was requested. It is sent as text into the
 * frame, so it may use only its parameters and the browser.
 *
 * Some containers are always higher than their frame (`min-height: 100vh` plus padding), so growing the frame never reaches them. When
 * the overflow stays the same after several steps, the frame returns to the height at which it began, and its content scrolls.
 * @param tell receives the height that the frame should have, in pixels
 * @returns a function that requests a height; called without one, it requests the container's height
 */
export function frameHeight(
  frame: Window,
  container: { readonly offsetHeight: number },
  tell: (height: number) => void,
): (height?: number) => void {
  const enoughSteps = 3;
  let asked = 0;
  let steps = 0;
  let began = 0;
  let reached = 0;
  let beyond = 0;

  function follow(): void {
    const now = frame.innerHeight;
    // clientHeight excludes a horizontal scrollbar, which would cover the end of the content.
    const over = container.offsetHeight - frame.document.documentElement.clientHeight;
    if (over !== beyond || over <= 0) {
      steps = 0;
      began = now;
    } else if (steps >= enoughSteps) return;
    else if (now > reached) steps++;
    beyond = over;
    reached = now;
    tell(steps >= enoughSteps ? began : Math.max(asked, now + over));
  }

  if (frame.ResizeObserver) new frame.ResizeObserver(follow).observe(container);
  frame.addEventListener('resize', follow);
  return (height) => {
    asked = Number(height ?? 0) || 0;
    steps = 0;
    beyond = 0;
    follow();
  };
}
