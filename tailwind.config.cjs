/**
 * The colors of utility classes. A class names a color role of src/styles/tokens.css, never a value. All other parts of
 * the theme are in tokens.css.
 * @type {import('tailwindcss').Config}
 */
module.exports = {
  theme: {
    colors: {
      ink: { DEFAULT: 'var(--color-ink)', soft: 'var(--color-ink-soft)' },
      paper: 'var(--color-paper)',
      raised: 'var(--color-raised)',
      rule: { DEFAULT: 'var(--color-rule)', strong: 'var(--color-rule-strong)' },
      accent: 'var(--color-accent)',
      'on-accent': 'var(--color-on-accent)',
      alert: 'var(--color-alert)',
      'on-alert': 'var(--color-on-alert)',
      highlight: 'var(--color-highlight)',
    },
  },
};
