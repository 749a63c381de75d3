import { readFile } from 'node:fs/promises';

/** What the posts of `seed.ts` are about. Each cover shows a drawing of the site (content/drawings). */
export const subjects = [
  {
    name: 'saved searches',
    excerpt: 'Five searches that find a wrong number before the controller does.',
    drawing: 'assistant',
  },
  {
    name: 'sales channels',
    excerpt: 'Orders, payouts and fees from every channel, matched before they are posted.',
    drawing: 'flows',
  },
  {
    name: 'phased rollouts',
    excerpt: 'Which modules go live first, and what each one needs from the one before.',
    drawing: 'modules',
  },
  {
    name: 'late projects',
    excerpt: 'How to stop a slipping go-live, and which work to leave for later.',
    drawing: 'rescue',
  },
  {
    name: 'project payback',
    excerpt: 'When a project pays for itself, and which of its benefits you can measure.',
    drawing: 'return',
  },
  {
    name: 'scheduled scripts',
    excerpt: 'What runs at night, who hears of a failure, and how to run a script again.',
    drawing: 'script',
  },
] as const;

/** The site's colors for paper, ink, rules and highlights. Every second one is dark. */
const palettes = [
  { paper: '#0a3324', ink: '#8ed0a6', rule: '#4b7a62', strong: '#17533a' },
  { paper: '#dde9d5', ink: '#0b4f36', rule: '#8fa894', strong: '#fcfaf4' },
];

/**
 * Draws the cover of a post about the subject of `subjects` with this index. Covers with different indexes differ.
 * @returns the picture, and an alternative text for it.
 */
export async function drawCover(index: number): Promise<{ bytes: Uint8Array<ArrayBuffer>; alt: string }> {
  const { default: sharp } = await import('sharp');
  const { paper, ink, rule, strong } = palettes[(index + Math.floor(index / subjects.length)) % 2]!;
  const file = new URL(`../../content/drawings/${subjects[index % subjects.length]!.drawing}.svg`, import.meta.url);
  const [, alt = '', shapes = ''] = /<title>(.*)\.<\/title>([\s\S]*)<\/svg>/.exec(await readFile(file, 'utf8')) ?? [];
  // The position of the margin and of the lines differs in any two of the first 4,850 covers.
  const lines = Array.from({ length: 17 }, (_, row) => `M0 ${(index % 50) + row * 50 - 25}h1200`).join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 800" width="1200" height="800">
    <style>
      path { fill: none; stroke: ${ink}; stroke-width: 2 }
      .rules, .flow, .ruled { stroke: ${rule} }
      .ruled { opacity: 0.35 }
      .row { fill: ${strong} }
      .strong, .tick { stroke-width: 4 }
      .records { stroke-width: 9; stroke-dasharray: 7 2 7 2 7 6 }
      .dots { stroke-width: 12; stroke-linecap: round }
    </style>
    <rect width="1200" height="800" fill="${paper}"/>
    <path class="ruled" d="${lines}M${90 + (index % 97)} 0v800m12 0v-800"/>
    <svg x="180" y="164" width="840" height="473" viewBox="0 0 480 270">${shapes}</svg>
  </svg>`;
  return { bytes: new Uint8Array(await sharp(Buffer.from(svg)).webp({ effort: 2 }).toBuffer()), alt };
}
