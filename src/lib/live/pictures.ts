/**
 * Pictures that have not come yet stay behind their placeholder until they are in view and loaded; one that does not come
 * gives way to its fallback (`data-fallback`), or to the placeholder (spec §2: 50 px margin, threshold 0.1).
 * @param within where to look.
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
    // In a text the description stands where the picture should be.
    delete picture.dataset['waiting'];
  }
}
