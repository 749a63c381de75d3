/**
 * Utilities speak the language of src/styles/tokens.css: a class names a role, never a value.
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
      alert: 'var(--color-alert)',
      highlight: 'var(--color-highlight)',
    },
    fontFamily: { display: 'var(--font-display)', text: 'var(--font-text)' },
    fontSize: {
      xs: 'var(--text-xs)',
      sm: 'var(--text-sm)',
      base: 'var(--text-base)',
      lg: 'var(--text-lg)',
      xl: 'var(--text-xl)',
      '2xl': 'var(--text-2xl)',
      '3xl': 'var(--text-3xl)',
    },
    screens: { sm: '40rem', md: '56rem', lg: '72rem' },
  },
};
