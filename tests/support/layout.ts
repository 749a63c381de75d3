import type { Locator, Page } from 'playwright';

/** Returns by how many pixels the page is wider than its window; 0 or less if it fits. */
export const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

/** Waits until an image is decoded, and returns its intrinsic width and height. */
export const sizeOf = (picture: Locator) =>
  picture.evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  });

/**
 * Returns what a person cannot read or reach in the current state of a page: a page wider than its screen, lines beyond
 * the edge of the screen or of a box that hides them, broken words, and lines or controls on top of each other.
 */
export function layoutFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults: string[] = [];
    const root = document.documentElement;
    const beyond = root.scrollWidth - root.clientWidth;
    if (beyond > 0) faults.push(`the page is ${beyond} px too wide`);
    for (const { scrollWidth, clientWidth } of document.querySelectorAll('.list-rows')) {
      if (scrollWidth > clientWidth) faults.push(`a list is ${scrollWidth - clientWidth} px wider than its frame`);
    }

    const scrolls = /auto|scroll/;
    const hides = /hidden|clip/;
    /** The open dialog or popover. While one is open, only its content is checked. */
    const modal = [...document.querySelectorAll('dialog:modal, :popover-open')].at(-1);
    /**
     * Returns the fixed or sticky element that contains this element, or the root. Overlaps are faults only within one
     * layer, because a fixed or sticky element may cover content that scrolls beneath it.
     */
    const layerOf = (element: Element): Element => {
      for (let up: Element | null = element; up; up = up.parentElement) {
        if (/fixed|sticky/.test(getComputedStyle(up).position)) return up;
      }
      return root;
    };
    /** Returns true for text that only screen readers read, for spam traps, and for parts of a drawing. */
    const isMeantToBeHidden = (element: Element): boolean => {
      if (element.closest('.honeypot, .skip-link, option, [inert], svg')) return true;
      for (let up: Element | null = element; up; up = up.parentElement) {
        if (getComputedStyle(up).clipPath !== 'none') return true;
      }
      return false;
    };

    interface Line {
      text: string;
      element: Element;
      layer: Element;
      box: DOMRect;
    }
    const lines: Line[] = [];
    const walker = document.createTreeWalker(modal ?? document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const element = node.parentElement!;
      const text = node.textContent!.trim();
      if (text === '' || /^(script|style|template|noscript)$/i.test(element.localName)) continue;
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (isMeantToBeHidden(element)) continue;
      range.selectNodeContents(node);
      // Text that is too long is visible up to the right edge of its box (`text-overflow: ellipsis`), or up to the
      // bottom of its box (`line-clamp`).
      let edge = Infinity;
      let end = Infinity;
      for (let up: Element | null = element; up; up = up.parentElement) {
        const { textOverflow, webkitLineClamp } = getComputedStyle(up);
        if (textOverflow === 'ellipsis') edge = Math.min(edge, up.getBoundingClientRect().right);
        if (webkitLineClamp !== 'none') end = Math.min(end, up.getBoundingClientRect().bottom);
      }
      const boxes = [...range.getClientRects()]
        .map(({ left, right, top, bottom }) => new DOMRect(left, top, Math.min(right, edge) - left, bottom - top))
        .filter(({ width, height, top }) => width > 1 && height > 1 && top < end - 1);
      const name = `"${text.slice(0, 40)}"`;
      let scrolled = false;
      for (let up: Element | null = element; up && up !== document.body; up = up.parentElement) {
        const style = getComputedStyle(up);
        if (scrolls.test(style.overflowX) || scrolls.test(style.overflowY)) scrolled = true;
        if (scrolled) break;
        const frame = up.getBoundingClientRect();
        const cutsX = hides.test(style.overflowX) && style.textOverflow !== 'ellipsis';
        const cutsY =
          hides.test(style.overflowY) && style.textOverflow !== 'ellipsis' && style.webkitLineClamp === 'none';
        if (boxes.some((box) => (cutsX && box.right > frame.right + 2) || (cutsY && box.bottom > frame.bottom + 4))) {
          faults.push(`${name} is cut off by ${up.localName}.${up.className}`);
          break;
        }
      }
      // If the window is narrower than 20 em (320 px at the default text size), a long word may break.
      if (innerWidth / Number.parseFloat(getComputedStyle(root).fontSize) >= 20) {
        for (const { 0: word, index } of node.textContent!.matchAll(/(?<![^\s])[A-Za-z]{2,14}(?![^\s])/g)) {
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const tops = [...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => top);
          if (edge === Infinity && Math.max(...tops) - Math.min(...tops) > 8)
            faults.push(`the word "${word}" is broken`);
        }
      }
      if (scrolled) continue;
      if (boxes.some(({ left, right }) => right > root.clientWidth + 1 || left < -1)) {
        faults.push(`${name} is beyond the edge`);
      }
      lines.push(...boxes.map((box) => ({ text: name, element, layer: layerOf(element), box })));
    }
    for (const [index, one] of lines.entries()) {
      for (const other of lines.slice(index + 1)) {
        if (one.layer !== other.layer || one.element === other.element) continue;
        const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        // The boxes of adjacent lines may overlap slightly if the line height is small.
        if (across > 3 && down > 0.35 * Math.min(one.box.height, other.box.height)) {
          faults.push(`${one.text} and ${other.text} overlap`);
        }
      }
    }

    const isScrolledAway = (element: Element, x: number, y: number): boolean => {
      for (let up = element.parentElement; up; up = up.parentElement) {
        const { left, right, top, bottom } = up.getBoundingClientRect();
        if (scrolls.test(getComputedStyle(up).overflow) && (x < left || x > right || y < top || y > bottom))
          return true;
      }
      return false;
    };

    // Nothing may cover the center of a visible control in the open dialog or in an element with a fixed position.
    const above = modal ? [modal] : [...document.querySelectorAll('body *')];
    const floating = above.filter(
      (element) =>
        getComputedStyle(element).position === 'fixed' && element.checkVisibility() && !isMeantToBeHidden(element),
    );
    const controls = floating.flatMap((element) => [...element.querySelectorAll('a, button, input, select, textarea')]);
    const reachable = [...new Set(controls)]
      .filter((control) => control.checkVisibility() && !isMeantToBeHidden(control))
      .map((control) => ({ control, box: control.getBoundingClientRect() }))
      .filter(
        ({ box }) => box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
      );
    for (const { control, box } of reachable) {
      const x = Math.min(innerWidth - 1, Math.max(0, box.left + box.width / 2));
      const y = Math.min(innerHeight - 1, Math.max(0, box.top + box.height / 2));
      if (isScrolledAway(control, x, y)) continue;
      const on = document.elementFromPoint(x, y);
      if (on && !control.contains(on) && !on.contains(control)) {
        faults.push(
          `${control.getAttribute('aria-label') ?? control.textContent.trim()} is under ${on.localName}.${on.className}`,
        );
      }
    }
    return [...new Set(faults)];
  });
}

/** Returns icons of links and buttons with a contrast below 3:1, and elements with a running animation. */
export function paintFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
    const luminance = (color: string): number => {
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data]
        .map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
    };
    const backgroundOf = (element: Element | null): string => {
      const { backgroundColor } = getComputedStyle(element ?? document.documentElement);
      return element && /, 0\)$|^transparent$/.test(backgroundColor)
        ? backgroundOf(element.parentElement)
        : backgroundColor;
    };
    const pale = [...document.querySelectorAll(':is(a, button) svg :is(path, circle)')]
      .filter((shape) => shape.checkVisibility())
      .filter((shape) => {
        const { fill, stroke } = getComputedStyle(shape);
        const paints = [fill, stroke].filter((paint) => paint !== 'none').map(luminance);
        const ground = luminance(backgroundOf(shape.closest('a, button')));
        return paints.every((paint) => (Math.max(paint, ground) + 0.05) / (Math.min(paint, ground) + 0.05) < 3);
      })
      .map((shape) => {
        const control = shape.closest('a, button')!;
        return `the icon of "${control.getAttribute('aria-label') ?? control.textContent.trim()}" cannot be seen`;
      });
    const moving = document
      .getAnimations()
      .filter(({ timeline, playState }) => timeline === document.timeline && playState === 'running')
      .map(({ effect }) => (effect as KeyframeEffect).target)
      .map((element) => `${element?.localName}.${element?.getAttribute('class')} moves`);
    return [...new Set([...pale, ...moving])];
  });
}
