import type * as z from 'zod/mini';
import type { serviceContent } from '../site/service.ts';

/** The details of a service that the footer and the contact form need. */
interface OfferedService {
  readonly id: string;
  /** Name in the footer. */
  readonly name: string;
  /** The value of "Service of interest" for the service. A part of a larger service has the value of the larger one. */
  readonly interest: string;
  /** The label of the option on the contact form. A part of a larger service has no option. */
  readonly label?: string;
}

/** The content of `content/services/{id}.json`. */
type ServiceFile = z.input<typeof serviceContent>;

// Builds replace this constant with the result of `readOfferedServices`. Code that runs unbundled reads the files.
declare const OFFERED_SERVICES: readonly OfferedService[] | undefined;

/** Every service, in display order. */
export const offeredServices: readonly OfferedService[] =
  typeof OFFERED_SERVICES === 'undefined' ? readOfferedServices() : OFFERED_SERVICES;

/**
 * Returns the option that the contact form preselects for visitors from a service's page, or null for an unknown
 * service.
 */
export function serviceInterestOf(serviceId: string): string | null {
  return offeredServices.find(({ id }) => id === serviceId)?.interest ?? null;
}

/** Reads the service files, in display order, without validation (see src/content.config.ts). */
export function readOfferedServices(): OfferedService[] {
  // Browsers have no `node:fs`, so importing it would break the browser bundle, which includes this module.
  const { readdirSync, readFileSync } = globalThis.process.getBuiltinModule('node:fs');
  const folder = `${import.meta.dirname}/../../../content/services`;
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => [name.slice(0, -5), JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as ServiceFile] as const)
    .toSorted(([, one], [, other]) => one.order - other.order);
  const byId = new Map(files);
  return files.map(([id, { title, shortTitle, inquiry, partOf }]) => {
    const whole = partOf?.service ?? id;
    const interest = byId.get(whole)?.inquiry?.value ?? whole;
    return { id, name: shortTitle ?? title, interest, ...(!partOf && { label: inquiry?.label ?? title }) };
  });
}
