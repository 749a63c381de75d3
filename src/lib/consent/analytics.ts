import { analyticsAllowed } from './consent.ts';

type Properties = Readonly<Record<string, string>>;

type Command =
  | ['setPath', string]
  | ['trackPageView']
  | ['trackCustomBehavioralEvent', { name: string; properties: Properties }]
  | ['identify', Properties];

declare global {
  /** HubSpot's queue (docs/product.md#analytics): an array until HubSpot's script replaces it. */
  var _hsq: { push(command: Command): unknown } | undefined;
}

const scriptId = 'hs-script-loader';

/**
 * Records a page view. Loads the tracking script if the document has an account id: `<html data-analytics-id>`. Without
 * the visitor's consent, no function of this module sends anything.
 */
export function trackPage(): void {
  // The URL of a shared draft opens the draft, so no other site may learn it.
  if (!analyticsAllowed() || location.pathname.startsWith('/blog/preview/')) return;
  queue(['setPath', location.pathname], ['trackPageView']);
  const id = document.documentElement.dataset['analyticsId'];
  if (!id || document.getElementById(scriptId)) return;
  const script = document.createElement('script');
  script.id = scriptId;
  script.async = true;
  script.src = `https://js.hs-scripts.com/${id}.js`;
  document.head.append(script);
}

/** Records an event on a page, such as 'contact_form_error'. */
export function trackEvent(name: string, properties: Properties = {}): void {
  queue(['trackCustomBehavioralEvent', { name, properties }]);
}

/**
 * Identifies the visitor. HubSpot sends the identity with the next page view or event, so call this function first.
 * @param properties named as in HubSpot; `email` identifies the contact.
 */
export function identify(properties: Properties & { readonly email: string }): void {
  queue(['identify', properties]);
}

/** Splits a full name into its first word and the rest. */
export function nameParts(fullName: string): { firstname: string; lastname: string } {
  const [firstname = '', ...rest] = fullName.trim().split(/\s+/);
  return { firstname, lastname: rest.join(' ') };
}

function queue(...commands: Command[]): void {
  // The URL of a shared draft opens the draft, so no other site may learn it.
  if (!analyticsAllowed() || location.pathname.startsWith('/blog/preview/')) return;
  globalThis._hsq ??= [];
  for (const command of commands) globalThis._hsq.push(command);
}
