import { analyticsAllowed } from './consent.ts';

type Properties = Readonly<Record<string, string>>;

type Command =
  | ['setPath', string]
  | ['trackPageView']
  | ['trackCustomBehavioralEvent', { name: string; properties: Properties }]
  | ['identify', Properties];

declare global {
  /** HubSpot's queue (decisions, 'Consent and analytics'): an array until its script takes it over. */
  var _hsq: { push(command: Command): unknown } | undefined;
}

const scriptId = 'hs-script-loader';

/**
 * Records that a page is shown (spec §7). Without the visitor's yes this does nothing, as do all functions here. The
 * tracking script is fetched where the document names an account: `<html data-analytics-id>`.
 */
export function trackPage(): void {
  if (!analyticsAllowed()) return;
  queue(['setPath', location.pathname], ['trackPageView']);
  const id = document.documentElement.dataset['analyticsId'];
  if (!id || document.getElementById(scriptId)) return;
  const script = document.createElement('script');
  script.id = scriptId;
  script.async = true;
  script.src = `https://js.hs-scripts.com/${id}.js`;
  document.head.append(script);
}

/** Records something that happened on a page, such as 'contact_form_error' (spec §7). */
export function trackEvent(name: string, properties: Properties = {}): void {
  queue(['trackCustomBehavioralEvent', { name, properties }]);
}

/**
 * Says who the visitor is. It is sent with the next page view or event, so call it before the event that it belongs to.
 * @param properties by HubSpot's names; `email` is what a person is known by.
 */
export function identify(properties: Properties & { readonly email: string }): void {
  queue(['identify', properties]);
}

/** First name and the rest, from a full name. */
export function nameParts(fullName: string): { firstname: string; lastname: string } {
  const [firstname = '', ...rest] = fullName.trim().split(/\s+/);
  return { firstname, lastname: rest.join(' ') };
}

function queue(...commands: Command[]): void {
  if (!analyticsAllowed()) return;
  globalThis._hsq ??= [];
  for (const command of commands) globalThis._hsq.push(command);
}
