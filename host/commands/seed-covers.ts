/** What the posts of `seed.ts` are about. The drawings use the shapes of the site's own: rules, rows, flows and check marks. */
interface Subject {
  readonly name: string;
  readonly excerpt: string;
  /** What the drawing shows. */
  readonly alt: string;
  /** Returns the shapes of a drawing, 1,200 wide and 800 high. The outer fifth at each edge may be cut off. */
  readonly shapes: (size: Size) => string;
}

/** Returns a number from 0 to `most`, which depends on the drawing and on `item`. */
type Size = (item: number, most: number) => number;

/** The width of `count` blocks of a row, with the gaps between them. */
const blocks = (count: number) => count * 34 - 8;

const each = (count: number, shape: (item: number) => string) =>
  Array.from({ length: count }, (_, item) => shape(item)).join('');
const line = (d: string, kind = '') => `<path class="${kind}" d="${d}"/>`;
const tick = (x: number, y: number) => line(`M${x} ${y}l18 22 34-52`, 'tick');
const total = (x: number, y: number, width: number) => line(`M${x} ${y}h${width}m0 14h-${width}`);

export const subjects: readonly Subject[] = [
  {
    name: 'month-end close',
    excerpt: 'Which day of the close takes longest, and which work can start before it.',
    alt: 'A calendar with check marks up to the last day of the close',
    shapes(size) {
      const closed = 7 + size(0, 6);
      const cell = (day: number) => ({ x: 270 + (day % 5) * 132, y: 190 + Math.floor(day / 5) * 140 });
      return each(15, (day) => {
        const { x, y } = cell(day);
        return (
          line(`M${x} ${y}h132v140h-132z`, day === closed ? 'strong' : '') + (day <= closed ? tick(x + 40, y + 74) : '')
        );
      });
    },
  },
  {
    name: 'landed cost',
    excerpt: 'Freight, duty and handling belong in the cost of an item before you sell it.',
    alt: 'A staircase of four bars, above their total',
    shapes(size) {
      const shares = [8 + size(0, 2), 3 + size(1, 2), 2 + size(2, 1), 1 + size(3, 1)];
      const startOf = (item: number) => 260 + shares.slice(0, item).reduce((sum, share) => sum + share * 34, 0);
      const width = startOf(4) - 268;
      const bars = each(4, (item) =>
        line(
          `M${startOf(item)} ${160 + item * 92}h${shares[item]! * 34}v60h-${shares[item]! * 34}z`,
          item === 0 ? '' : 'strong',
        ),
      );
      const steps = each(3, (item) => line(`M${startOf(item + 1)} ${220 + item * 92}v32`, 'rule'));
      return bars + steps + line(`M260 560h${width}`, 'row') + total(260, 610, width) + tick(300 + width, 566);
    },
  },
  {
    name: 'sales tax',
    excerpt: 'Rates, exemptions and rounding: what to check before the first return is filed.',
    alt: 'An invoice whose tax line stands out above the total',
    shapes: (size) =>
      line('M400 130h400v560l-40-34-40 34-40-34-40 34-40-34-40 34-40-34-40 34-40-34-40 34z') +
      line('M400 420h400v72h-400z', 'strong') +
      each(5, (row) =>
        line(
          `M440 ${204 + row * 63}h${blocks(2 + size(row, 3))}M760 ${204 + row * 63}h-${blocks(2 + size(row + 5, 1))}`,
          'row',
        ),
      ) +
      line(`M760 530h-${blocks(4)}`, 'row') +
      total(634, 566, blocks(4)),
  },
  {
    name: 'saved searches',
    excerpt: 'Five searches that find a wrong number before the controller does.',
    alt: 'A magnifying glass over the rows of a list',
    shapes(size) {
      const found = 1 + size(0, 4);
      const y = 170 + found * 80;
      return (
        each(6, (row) => line(`M260 ${210 + row * 80}h640`, 'rule')) +
        line(`M260 ${y - 40}h640v80h-640z`, 'strong') +
        each(6, (row) =>
          line(
            `M290 ${170 + row * 80}h${blocks(3 + size(row, 4))}M600 ${170 + row * 80}h${blocks(2 + size(row + 6, 2))}`,
            'row',
          ),
        ) +
        `<circle cx="820" cy="${y}" r="110"/>` +
        line(`M898 ${y + 78}l90 90`)
      );
    },
  },
  {
    name: 'data migration',
    excerpt: 'Load, count, compare: an opening balance that both systems agree on.',
    alt: 'Records move from one table to another, and each arrives checked',
    shapes: (size) =>
      line('M220 170h260v460h-260zM690 170h260v460h-260z') +
      each(5, (row) => {
        const y = 216 + row * 92;
        const length = blocks(2 + size(row, 4));
        const records = line(`M250 ${y}h${length}M720 ${y}h${length}`, 'row');
        return records + line(`M500 ${y}h156m-26-18 26 18-26 18`, 'rule') + (row <= size(9, 4) ? tick(980, y - 4) : '');
      }),
  },
  {
    name: 'demand planning',
    excerpt: 'A forecast is a range. Stock for the range, and write down who chose it.',
    alt: 'Bars of past demand, followed by a forecast that widens',
    shapes(size) {
      const heights = Array.from({ length: 7 }, (_, month) => 120 + month * 18 + size(month, 110));
      const last = 620 - heights[6]!;
      return (
        each(7, (month) =>
          line(`M${240 + month * 62} 620v-${heights[month]}h38v${heights[month]}z`, month === 6 ? 'strong' : ''),
        ) +
        line(`M650 ${last}L980 ${last - 130}V${last + 70}z`, 'area') +
        line(`M650 ${last}L980 ${last - 30 - size(8, 40)}`, 'dashed') +
        total(220, 620, 780)
      );
    },
  },
];

/** The site's colors for paper, ink, rules and highlights. Every second one is dark. */
const palettes = [
  { paper: '#0a3324', ink: '#8ed0a6', rule: '#4b7a62', strong: '#17533a' },
  { paper: '#dde9d5', ink: '#0b4f36', rule: '#8fa894', strong: '#fcfaf4' },
];

/** Draws the cover of a post about the subject of `subjects` with this index. Covers with different indexes differ. */
export async function drawCover(index: number): Promise<Uint8Array<ArrayBuffer>> {
  const { default: sharp } = await import('sharp');
  const { paper, ink, rule, strong } = palettes[(index + Math.floor(index / subjects.length)) % 2]!;
  const size: Size = (item, most) => (Math.imul(index * 31 + item + 1, 2_654_435_761) >>> 12) % (most + 1);
  // The position of the lines differs in any two of the first 4,850 covers.
  const margin = line(`M${90 + (index % 97)} 0v800m12 0v-800`, 'ruled');
  const ruled = each(17, (row) => line(`M0 ${(index % 50) + row * 50 - 25}h1200`, 'ruled'));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 800" width="1200" height="800">
    <style>
      svg { fill: none; stroke: ${ink}; stroke-width: 5 }
      .ruled { stroke: ${rule}; stroke-width: 2; opacity: 0.35 }
      .rule { stroke: ${rule} }
      .row { stroke-width: 18; stroke-dasharray: 26 8 }
      .strong { fill: ${strong} }
      .area { fill: ${strong}; stroke: none }
      .dashed { stroke-dasharray: 18 12 }
      .tick { stroke-width: 8 }
    </style>
    <rect width="1200" height="800" fill="${paper}" stroke="none"/>
    ${ruled}${margin}${subjects[index % subjects.length]!.shapes(size)}
  </svg>`;
  return new Uint8Array(await sharp(Buffer.from(svg)).webp({ effort: 2 }).toBuffer());
}
