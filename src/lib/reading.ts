/*
 * Conveniences for somebody who reads a long text. They arrive with the page's later part; without scripts nothing is
 * missing but these.
 */
export function assistReading(): void {
  markSection([...document.querySelectorAll<HTMLAnchorElement>('.on-this-page a')]);
  document.querySelectorAll<HTMLElement>('.code pre').forEach(offerCopy);
  document.querySelectorAll<HTMLAnchorElement>('a[data-embed]').forEach(playInPlace);
  document.querySelectorAll<HTMLAnchorElement>('a[data-copy-address]').forEach(copyInstead);
}

/** Marks the link of the section that is being read: the last whose heading has come to the upper third of the screen. */
function markSection(links: readonly HTMLAnchorElement[]): void {
  const passed = new Set<string>();
  const watch = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) passed[isIntersecting ? 'add' : 'delete'](target.id);
      const here = links.findLast(({ hash }) => passed.has(hash.slice(1)));
      for (const link of links) {
        if (link === here) link.setAttribute('aria-current', 'location');
        else link.removeAttribute('aria-current');
      }
    },
    // All that lies above the screen counts as seen, however fast it was scrolled past.
    { rootMargin: '100000% 0px -66%' },
  );
  for (const { hash } of links) {
    const heading = document.getElementById(hash.slice(1));
    if (heading) watch.observe(heading);
  }
}

/** Adds a button that copies a block of code; browsers copy on secure pages only. */
function offerCopy(code: HTMLElement): void {
  if (!isSecureContext) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.ariaLive = 'polite';
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(code.textContent.trimEnd()).then(
      () => (button.textContent = 'Copied'),
      () => (button.textContent = 'Not copied'),
    );
  });
  button.addEventListener('blur', () => (button.textContent = 'Copy'));
  code.after(button);
}

/** A video's stand-in becomes the video when it is asked for, and not before. */
function playInPlace(facade: HTMLAnchorElement): void {
  facade.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const frame = document.createElement('iframe');
    frame.src = facade.dataset['embed'] ?? facade.href;
    frame.title = facade.dataset['title'] ?? '';
    frame.allow = 'autoplay; fullscreen';
    facade.replaceWith(frame);
    frame.focus();
  });
}

/** A link to the page itself copies its address instead. */
function copyInstead(link: HTMLAnchorElement): void {
  if (!isSecureContext) return;
  link.ariaLive = 'polite';
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    navigator.clipboard.writeText(link.href).then(
      () => (link.textContent = 'Link copied'),
      () => (link.textContent = 'Not copied'),
    );
  });
}
