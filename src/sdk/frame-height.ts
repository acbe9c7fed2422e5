/** The part of a frame's window that says how high it is, and when that changes. */
interface Window {
  readonly innerHeight: number;
  readonly document: { readonly documentElement: { readonly clientHeight: number } };
  readonly ResizeObserver?: new (callback: () => void) => { observe(target: unknown): void };
  addEventListener(type: 'resize', listener: () => void): void;
}

/**
 * Keeps the frame of a Custom View as high as its container, and at least as high as was asked for. Sent as text into the frame: it
 * uses nothing but its parameters and the browser.
 *
 * A container whose styles make it higher than its frame (`min-height: 100vh` and a padding) would never be reached: what stays
 * beyond the frame by the same amount, however high the frame becomes, is left to scroll in the height from which it began.
 * @param tell how high the frame shall be, in pixels
 * @returns asks for a height; without one, for that of the container
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
    // Without the bar of what is too broad, which lies over the end of the content.
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
