const files = import.meta.glob<string>('/content/{drawings,services}/*.svg', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** A drawing's `viewBox`, its title as text alternative, and the markup inside its `<svg>` element. */
interface Drawing {
  readonly box: string;
  readonly title: string | undefined;
  readonly shapes: string;
}

/**
 * Returns a drawing.
 * @param name path in `content` without the ending, such as `services/support`.
 */
export function drawingOf(name: string): Drawing {
  const svg = files[`/content/${name}.svg`];
  if (svg === undefined) throw new Error(`There is no drawing content/${name}.svg.`);
  const [, box = '', inner = ''] = /<svg[^>]*viewBox="([^"]+)"[^>]*>([\s\S]*?)<\/svg>/.exec(svg) ?? [];
  const [element = '', title] = /<title>(.*)<\/title>/.exec(inner) ?? [];
  const compact = inner
    .replace(element, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/>\s+</g, '><')
    .trim();
  // Writes `<path></path>` instead of `<path/>`, as Astro does, because uniform markup compresses better.
  return { box, title, shapes: compact.replace(/<(\w+)\b([^<>]*)\/>/g, '<$1$2></$1>') };
}

/**
 * Returns the drawing of a service, `content/services/{id}.svg`.
 * @param scene true for the more detailed drawing, `{id}.scene.svg`, if there is one.
 */
export function serviceDrawing(service: string, scene = false): Drawing {
  const detailed = `services/${service}.scene`;
  return drawingOf(scene && `/content/${detailed}.svg` in files ? detailed : `services/${service}`);
}
