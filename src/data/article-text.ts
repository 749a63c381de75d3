import { posix } from 'node:path';
import { satteriCreateHighlightFn, satteriHeadingIdsPlugin, satteriHighlightPlugin } from '@astrojs/markdown-satteri';
import type { ImageMetadata } from 'astro';
import { Image } from 'astro:assets';
import { Fragment, jsx, jsxs } from 'astro/jsx-runtime';
import type { AstroComponentFactory } from 'astro/runtime/server/index.js';
import { mdxToJs } from 'satteri';

interface Heading {
  readonly depth: number;
  readonly slug: string;
  readonly text: string;
}

interface ArticleText {
  readonly Content: AstroComponentFactory;
  readonly headings: readonly Heading[];
}

/** The image files in the folder of the articles, by path from the root of the project. */
const pictures = import.meta.glob<ImageMetadata>('/content/articles/**/*.{avif,gif,jpeg,jpg,png,svg,webp}', {
  eager: true,
  import: 'default',
});

/** The syntax highlighter. Articles are not bundled, so the same setting in astro.config.mjs does not apply to them. */
const highlight = satteriCreateHighlightFn('prism', undefined);

type MakeText = (runtime: object) => { default: (props: object) => unknown };

/**
 * Compiles the MDX of an article into a component, as Astro's MDX integration does for bundled files.
 *
 * @param file path of the article from the root of the project.
 */
export async function articleText({ file, body }: { file: string; body: string }): Promise<ArticleText> {
  const astro = {
    frontmatter: {},
    headings: [] as Heading[],
    localImagePaths: new Set<string>(),
    remoteImagePaths: new Set<string>(),
  };
  const { code } = await mdxToJs(body, {
    outputFormat: 'function-body',
    hastPlugins: [satteriHighlightPlugin((await highlight)!, undefined), satteriHeadingIdsPlugin()],
    // Compiles elements to static HTML, except those that src/components/prose/Prose.astro and `jsxOf` replace.
    optimizeStatic: {
      component: 'Fragment',
      prop: 'set:html',
      ignoreElements: ['h2', 'h3', 'pre', 'table', 'img'],
    },
    features: { gfm: true, smartPunctuation: true },
    jsxImportSource: 'astro',
    elementAttributeNameCase: 'html',
    data: { astro },
  });
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- Articles are files of this repository.
  const make = new Function(code) as MakeText;
  const { default: MDXContent } = make({ Fragment, jsx: jsxOf(file), jsxs });
  const Content = (props: { components?: object } = {}) =>
    MDXContent({ ...props, components: { Fragment, ...props.components } });
  // Astro recognizes an MDX component by the first symbol. The second symbol names the component's renderer.
  Object.assign(Content, { [Symbol.for('mdx-component')]: true, [Symbol.for('astro:renderer')]: 'astro:jsx' });
  return { Content: Content as unknown as AstroComponentFactory, headings: astro.headings };
}

/** Returns a `jsx` that renders image files in the article's folder with Astro's `Image`, which resizes them. */
function jsxOf(file: string): typeof jsx {
  return (type, props = {}, key) => {
    const src = String(props['src']);
    if (type !== 'img' || /^(\/|https?:)/.test(src)) return jsx(type, props, key);
    const path = posix.join('/', posix.dirname(file), decodeURI(src));
    if (!(path in pictures)) throw new Error(`${file}: there is no image ${src}.`);
    return jsx(Image, { ...props, src: pictures[path] }, key);
  };
}
