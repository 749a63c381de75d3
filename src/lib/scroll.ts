/**
 * Does for browsers without scroll-driven animations (Firefox) what the style sheets do for the others: makes the header of
 * the home page solid after 10 px (spec §9), and shows how far an article is read.
 */
export function followScroll(): void {
  const header = document.querySelector<HTMLElement>('.site-header[data-home]');
  const article = document.querySelector<HTMLElement>('.article');
  const progress = document.querySelector<HTMLElement>('.progress');
  const follow = (): void => {
    header?.toggleAttribute('data-scrolled', scrollY > 10);
    if (!article || !progress) return;
    const { top, height } = article.getBoundingClientRect();
    const read = Math.min(1, Math.max(0, -top / Math.max(1, height - innerHeight)));
    progress.style.scale = `${read} 1`;
  };
  // Scroll events come once a frame at most.
  addEventListener('scroll', follow, { passive: true });
  follow();
}
