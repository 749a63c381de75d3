/**
 * Replaces scroll-driven animations in browsers without them (Firefox): makes the header of the home page solid after
 * 10 px (docs/product.md#header-and-navigation), and shows the reading progress of an article.
 */
export function followScroll(): void {
  const header = document.querySelector<HTMLElement>('.site-header[data-home]');
  const article = document.querySelector<HTMLElement>('.article');
  const progress = document.querySelector<HTMLElement>('.progress');
  const follow = (): void => {
    if (header) {
      const scrolled = scrollY > 10;
      header.toggleAttribute('data-scrolled', scrolled);
      // The same look as in header.css. It is set here, because the home page has no bytes left for another rule.
      header.style.backdropFilter = scrolled ? 'blur(12px)' : '';
      header.style.background = scrolled ? 'color-mix(in srgb, var(--color-raised) 92%, transparent)' : '';
    }
    if (!article || !progress) return;
    const { top, height } = article.getBoundingClientRect();
    const read = Math.min(1, Math.max(0, -top / Math.max(1, height - innerHeight)));
    progress.style.scale = `${read} 1`;
  };
  // Needs no throttling, because browsers dispatch at most one scroll event per frame.
  addEventListener('scroll', follow, { passive: true });
  follow();
}
