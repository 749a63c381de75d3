/**
 * Runs slow work after the next frame, so the visible effect of a click is not delayed. In a hidden tab, which renders
 * no frames, the work runs immediately.
 */
export function afterFrame(work: () => void): void {
  if (document.hidden) work();
  else requestAnimationFrame(() => setTimeout(work));
}
