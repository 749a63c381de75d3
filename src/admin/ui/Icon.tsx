import type { ReactNode } from 'react';

/** SVG paths on a 16 × 16 grid. Each icon consists of strokes in the color of the text. */
const drawings = {
  tick: 'm3 8.5 3.5 3.5L13 4.5',
  cross: 'm4 4 8 8M12 4l-8 8',
  clock: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Zm0 3v3.25l2.25 1.5',
  again: 'M13 8a5 5 0 1 1-1.6-3.7M13 2v3h-3',
  dash: 'M4 8h8',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.5 10.5 14 14',
  download: 'M8 2.5v7.5m-3-3 3 3 3-3M3 13.5h10',
  copy: 'M6 5.5h7v8H6zM10 5.5v-3H3v8h3',
  reply: 'M6.5 3.5 2.5 7.5l4 4M2.5 7.5h6a5 5 0 0 1 5 5',
  newest: 'M4.5 3v10m-2.5-2.5L4.5 13 7 10.5M9.5 4h5M9.5 8H13M9.5 12h1.5',
  oldest: 'M4.5 13V3M2 5.5 4.5 3 7 5.5M9.5 4H11M9.5 8H13M9.5 12h5',
  up: 'm4 10 4-4 4 4',
  down: 'm4 6 4 4 4-4',
  left: 'm10 4-4 4 4 4',
  right: 'm6 4 4 4-4 4',
  hold: 'M8 2 13 4v4c0 3-2 5-5 6-3-1-5-3-5-6V4z',
  plus: 'M8 3v10M3 8h10',
  link: 'M6.5 9.5 9.5 6.5M7 4.5l1.5-1.5a3.2 3.2 0 0 1 4.5 4.5L11.5 9M9 11.5 7.5 13A3.2 3.2 0 0 1 3 8.5L4.5 7',
  bullets: 'M3 4h.01M3 8h.01M3 12h.01M6 4h8M6 8h8M6 12h8',
  numbers: 'M2 3.2 3.2 2.5v4M2 9.7c0-1.2 2.2-1.2 2.2 0C4.2 11 2 11.5 2 13h2.4M7 4h7M7 8h7M7 12h7',
  quote: 'M3 3v10M6.5 5h7M6.5 8h7M6.5 11h4',
  code: 'm5 4.5-3.5 3.5L5 11.5M11 4.5l3.5 3.5-3.5 3.5',
  codeBlock: 'M2 2.5h12v11H2zM6.5 6 4.5 8l2 2M9.5 6l2 2-2 2',
  table: 'M2 3h12v10H2zM2 6.5h12M6 3v10M10 3v10',
  picture: 'M2 3h12v10H2zM2 11l3.5-3.5 3 3L11 8l3 3M10.5 5.5h.01',
  undo: 'M5.5 3 2.5 6l3 3M2.5 6H9a4 4 0 0 1 0 8H6',
  redo: 'm10.5 3 3 3-3 3M13.5 6H7a4 4 0 0 0 0 8h3',
  pencil: 'm11 2.5 2.5 2.5-8 8-3 .5.5-3z',
  bin: 'M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5l.5 9h6l.5-9',
  warning: 'M8 2.5 14.5 13.5h-13zM8 6.5v3.5M8 12h.01',
  upload: 'M8 10.5V3m-3 3 3-3 3 3M3 13.5h10',
  file: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3',
  swap: 'M3 5.5h10M10 2.5l3 3-3 3M13 10.5H3M6 7.5l-3 3 3 3',
  outside: 'M9 3h4v4M13 3 7.5 8.5M11 9.5V13H3V5h3.5',
} as const;

export type IconName = keyof typeof drawings;

/** An icon. Text or a label next to the icon has the same meaning, so the icon is hidden from assistive technology. */
export function Icon({ name, accent = false }: { name: IconName; accent?: boolean }) {
  return (
    <svg className={accent ? 'icon text-accent' : 'icon'} width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <path d={drawings[name]} />
    </svg>
  );
}
const looks = { ink: 'text-ink', soft: 'text-ink-soft', alert: 'semibold text-alert' } as const;

interface BadgeProps {
  icon: IconName;
  /** Shows the icon in the accent color, for a success. */
  accent?: boolean;
  look?: keyof typeof looks;
  children: ReactNode;
}

/** A status as an icon and a word. */
export function Badge({ icon, accent, look = 'soft', children }: BadgeProps) {
  return (
    <span className={`flex items-center gap-1.5 ${looks[look]}`}>
      <Icon name={icon} accent={accent} />
      <span>{children}</span>
    </span>
  );
}
