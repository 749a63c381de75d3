/**
 * Keeps each image hidden until it is loaded and in view, so its placeholder shows. An image that fails to load is
 * replaced by its fallback (`data-fallback`), or else by the placeholder (docs/product.md#pictures).
 * @param within the part of the page to search for images.
 */
export function awaitPictures(within: ParentNode): void {
  for (const picture of within.querySelectorAll<HTMLImageElement>('.post-picture img, .prose img')) {
    if (picture.complete && picture.naturalWidth > 0) continue;
    if (picture.complete && picture.currentSrc !== '') giveWay(picture);
    else waitFor(picture);
  }
}

function waitFor(picture: HTMLImageElement): void {
  picture.dataset['waiting'] = '';
  const inView = new Promise<void>((resolve) => {
    const watch = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        watch.disconnect();
        resolve();
      },
      { rootMargin: '50px', threshold: 0.1 },
    );
    watch.observe(picture);
  });
  const loaded = new Promise<void>((resolve) => picture.addEventListener('load', () => resolve(), { once: true }));
  picture.addEventListener('error', () => giveWay(picture), { once: true });
  void Promise.all([inView, loaded]).then(() => delete picture.dataset['waiting']);
}

function giveWay(picture: HTMLImageElement): void {
  const fallback = picture.dataset['fallback'];
  if (fallback) {
    delete picture.dataset['fallback'];
    picture.removeAttribute('srcset');
    picture.src = fallback;
    waitFor(picture);
  } else if (picture.closest('.post-picture')) {
    picture.remove();
  } else {
    // In a post's text, the browser shows the alternative text of a missing image.
    delete picture.dataset['waiting'];
  }
}
