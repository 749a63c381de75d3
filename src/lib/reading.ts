/* Enhances long articles and posts. All of them are readable without JavaScript. */
export function assistReading(): void {
  markSection([...document.querySelectorAll<HTMLAnchorElement>('.on-this-page a')]);
  document.querySelectorAll<HTMLElement>('.code pre').forEach(offerCopy);
  document.querySelectorAll<HTMLAnchorElement>('a[data-embed]').forEach(playInPlace);
  document.querySelectorAll<HTMLAnchorElement>('a[data-copy-address]').forEach(copyInstead);
}

/** Marks the link of the current section: the last section whose heading has reached the upper third of the window. */
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
    // Headings above the window count as passed, even after fast scrolling.
    { rootMargin: '100000% 0px -66%' },
  );
  for (const { hash } of links) {
    const heading = document.getElementById(hash.slice(1));
    if (heading) watch.observe(heading);
  }
}

/** Adds a button that copies a code block. Browsers allow copying only on secure pages. */
function offerCopy(code: HTMLElement): void {
  if (!isSecureContext) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.ariaLive = 'polite';
  button.addEventListener('click', () => copy(code.textContent.trimEnd(), button, 'Copied'));
  button.addEventListener('blur', () => (button.textContent = 'Copy'));
  code.after(button);
}

/** Replaces a video's placeholder with the video when the visitor clicks it. */
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

/** Makes a click on the link copy the link's URL. */
function copyInstead(link: HTMLAnchorElement): void {
  if (!isSecureContext) return;
  link.ariaLive = 'polite';
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    copy(link.href, link, 'Link copied');
  });
}

/** Copies a text to the clipboard, and shows the result as the label of the button or link. */
function copy(text: string, control: HTMLElement, done: string): void {
  navigator.clipboard.writeText(text).then(
    () => (control.textContent = done),
    () => (control.textContent = 'Couldn’t copy'),
  );
}
