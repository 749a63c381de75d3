const serviceFiles = import.meta.glob<string>('/content/services/*.svg', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** A drawing's `viewBox` and the markup inside its `<svg>` element. */
interface Shapes {
  readonly box: string;
  readonly shapes: string;
}

/**
 * Returns the drawing of a service, `content/services/{id}.svg`.
 * @param scene true for the more detailed drawing, `{id}.scene.svg`. If that file is missing, the normal drawing is
 * used.
 */
export function serviceShapes(service: string, scene = false): Shapes {
  const file = `/content/services/${service}.svg`;
  const svg = (scene && serviceFiles[file.replace('.svg', '.scene.svg')]) || serviceFiles[file];
  if (svg === undefined) throw new Error(`There is no drawing ${file.slice(1)}.`);
  return shapesIn(svg);
}

/** Extracts the `viewBox` and the shapes from an `<svg>` element. */
function shapesIn(svg: string): Shapes {
  const [, box = '', shapes = ''] = /<svg[^>]*viewBox="([^"]+)"[^>]*>([\s\S]*?)<\/svg>/.exec(svg) ?? [];
  const compact = shapes
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/>\s+</g, '><')
    .trim();
  // Writes `<path></path>` instead of `<path/>`, as Astro does, because uniform markup compresses better.
  return { box, shapes: compact.replace(/<(\w+)\b([^<>]*)\/>/g, '<$1$2></$1>') };
}
