import { useEffect, useState } from 'react';
import { type Consent, consentFadeMs } from '../../domain/consent.ts';
import { trackPage } from '../../lib/analytics.ts';
import { storeConsent } from '../../lib/consent.ts';
import './cookie-banner.css';

/**
 * Asks for cookie consent (docs/product.md#cookies). If no choice is stored, the page shows the banner after a second,
 * without React. React handles only the visitor's choice.
 */
export default function CookieBanner() {
  const [state, setState] = useState<'asking' | 'leaving' | 'gone'>('asking');

  function answer(choice: Consent) {
    storeConsent(choice);
    if (choice === 'true') trackPage();
    setState('leaving');
  }

  useEffect(() => {
    if (state !== 'leaving') return;
    const timer = setTimeout(() => setState('gone'), consentFadeMs);
    return () => clearTimeout(timer);
  }, [state]);

  if (state === 'gone') return null;
  return (
    <section
      className="cookie-banner"
      data-keep-clear=""
      aria-label="Cookies"
      data-leaving={state === 'leaving' || undefined}
    >
      <p>We use cookies to enhance your browsing experience, analyze site traffic, and provide personalized content.</p>
      <div className="cookie-answers">
        <button type="button" className="button button-secondary" onClick={() => answer('true')}>
          Accept All Cookies
        </button>
        <button type="button" className="button button-secondary" onClick={() => answer('declined')}>
          Decline
        </button>
        <a href="/privacy">Cookie Policy</a>
      </div>
      <button
        type="button"
        className="icon-button"
        aria-label="Close and decline"
        data-close
        onClick={() => answer('declined')}
      >
        <svg width="16" height="16" aria-hidden="true">
          <path d="m2 2 12 12M14 2 2 14" />
        </svg>
      </button>
    </section>
  );
}
