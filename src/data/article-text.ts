import { posix, resolve } from 'node:path';
import { satteri } from '@astrojs/markdown-satteri';
import type { ImageMetadata } from 'astro';
import { Image } from 'astro:assets';
import { Fragment, jsx, jsxs } from 'astro/jsx-runtime';
import type { AstroComponentFactory } from 'astro/runtime/server/index.js';

interface Heading {
  readonly depth: number;
  readonly slug: string;
  readonly text: string;
}

interface ArticleText {
  readonly Content: AstroComponentFactory;
  readonly headings: readonly Heading[];
}

type MakeText = (
  runtime: object,
  pictures: object,
) => { MDXContent: (props: object) => unknown; headings: readonly Heading[] };

/** The images that articles can import, by path from the root of the project. */
const pictures = import.meta.glob<ImageMetadata>('/content/articles/**/*.{avif,gif,jpeg,jpg,png,svg,webp}', {
  eager: true,
  import: 'default',
});

/**
 * The MDX renderer. Its syntax highlighter must be the same as in astro.config.mjs, which applies to the policies in
 * content/legal.
 */
const renderer = satteri().createMdxRenderer!(
  { syntaxHighlight: 'prism' },
  // src/components/prose/Prose.astro replaces these elements, so they must stay separate. The renderer joins all others
  // into static HTML.
  { optimize: { ignoreElementNames: ['h2', 'h3', 'pre', 'table'] }, srcDir: undefined, sourcemap: false },
);

/** Matches the imports in compiled MDX: those of Astro's runtime, and those of images. */
const imports = /^import (?:\{ ([^{}]+) \}|(\w+)) from "([^"]+)";$/gm;

/**
 * Compiles the MDX of an article into a component, as Astro's MDX integration does for bundled files.
 *
 * @param file path of the article from the root of the project.
 * @throws if the article imports anything but an image.
 */
export async function articleText({ file, body }: { file: string; body: string }): Promise<ArticleText> {
  const { code } = await (await renderer).process(body, resolve(file), {});
  const statements = code
    .replace(imports, (_, names: string | undefined, name: string | undefined, from: string) => {
      if (names !== undefined) return `const { ${names.replaceAll(' as ', ': ')} } = runtime;`;
      const path = `/${posix.join(posix.dirname(file), from)}`;
      if (!(path in pictures)) throw new Error(`${file}: there is no image ${from}.`);
      return `const ${name} = pictures[${JSON.stringify(path)}];`;
    })
    .replaceAll(/^export (default )?/gm, '');
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- An article is code of this repository, as a bundled one is.
  const make = new Function(
    'runtime',
    'pictures',
    `${statements}\nreturn { MDXContent, headings: getHeadings() };`,
  ) as MakeText;
  const { MDXContent, headings } = make({ Fragment, jsx, jsxs, Image }, pictures);
  const Content = (props: { components?: object } = {}) =>
    MDXContent({ ...props, components: { Fragment, 'astro-image': Image, ...props.components } });
  // Astro recognizes an MDX component by the first symbol. The second symbol names the component's renderer.
  Object.assign(Content, { [Symbol.for('mdx-component')]: true, [Symbol.for('astro:renderer')]: 'astro:jsx' });
  return { Content: Content as unknown as AstroComponentFactory, headings };
}
