/**
 * Replaces scroll-driven animations in browsers without them (Firefox): makes the header of the home page solid after
 * 10 px (docs/product.md#header-and-navigation), and shows the reading progress of an article.
 */
export function followScroll(): void {
  const header = document.querySelector<HTMLElement>('.site-header[data-home]');
  if (header) solidify(header);
  const article = document.querySelector<HTMLElement>('.article');
  const progress = document.querySelector<HTMLElement>('.progress');
  if (!article || !progress) return;
  const follow = (): void => {
    const { top, height } = article.getBoundingClientRect();
    const read = Math.min(1, Math.max(0, -top / Math.max(1, height - innerHeight)));
    progress.style.scale = `${read} 1`;
  };
  // Needs no throttling, because browsers dispatch at most one scroll event per frame.
  addEventListener('scroll', follow, { passive: true });
  follow();
}

/**
 * Makes the header solid while the first 10 px of the page are out of view. An observer, because Firefox may dispatch
 * no scroll event at the end of a scroll that began while the menu was open.
 */
function solidify(header: HTMLElement): void {
  const top = document.createElement('div');
  Object.assign(top.style, { position: 'absolute', top: '0', width: '1px', height: '10px' });
  document.body.prepend(top);
  new IntersectionObserver((entries) => {
    const scrolled = !entries.at(-1)?.isIntersecting;
    header.toggleAttribute('data-scrolled', scrolled);
    // The same look as in header.css. It is set here, because the home page has no bytes left for another rule.
    header.style.backdropFilter = scrolled ? 'blur(12px)' : '';
    header.style.background = scrolled ? 'color-mix(in srgb, var(--color-raised) 92%, transparent)' : '';
  }).observe(top);
}
