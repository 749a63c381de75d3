/** The details of a service that the footer and the preview images need. */
interface OfferedService {
  readonly id: string;
  /** Name in the footer. */
  readonly name: string;
  /** Path of the service's landing page, if it has one. */
  readonly landing?: string;
}

/** An option of "Service of interest" on the contact form. */
export interface ServiceInterest {
  /** Stored with the inquiry. */
  readonly value: string;
  readonly label: string;
}

/** The fields of `content/services/{id}.json` that this module reads; src/domain/service.ts describes all fields. */
interface ServiceFile {
  readonly order: number;
  readonly title: string;
  readonly shortTitle?: string;
  readonly inquiry?: { readonly value?: string; readonly label?: string };
  readonly partOf?: { readonly service: string };
  readonly landing?: { readonly href: string };
}

// Builds replace these constants with data (`serviceConstants`). Code that runs unbundled reads the files instead. The
// data is split into several constants, so a page's scripts contain only the data that they use.
declare const OFFERED_SERVICES: readonly OfferedService[] | undefined;
declare const SERVICE_INTERESTS: readonly ServiceInterest[] | undefined;

/** Every service, in display order. */
export const offeredServices: readonly OfferedService[] =
  typeof OFFERED_SERVICES === 'undefined' ? readOfferedServices() : OFFERED_SERVICES;

/** The options of the contact form that are services, in display order. */
export const serviceInterestsOffered: readonly ServiceInterest[] =
  typeof SERVICE_INTERESTS === 'undefined' ? readServiceInterests() : SERVICE_INTERESTS;

/** Returns the JavaScript source of each constant, for the `define` option of a bundler. */
export function serviceConstants(): Record<string, string> {
  return {
    OFFERED_SERVICES: JSON.stringify(readOfferedServices()),
    SERVICE_INTERESTS: JSON.stringify(readServiceInterests()),
    INTEREST_BY_SERVICE: JSON.stringify(readInterestByService()),
  };
}

function readOfferedServices(): OfferedService[] {
  return readServiceFiles().map(([id, { title, shortTitle = title, landing }]) => ({
    id,
    name: shortTitle,
    ...(landing && { landing: landing.href }),
  }));
}

function readServiceInterests(): ServiceInterest[] {
  return readServiceFiles().flatMap(([id, { title, inquiry, partOf }]) =>
    partOf ? [] : [{ value: inquiry?.value ?? id, label: inquiry?.label ?? title }],
  );
}

/**
 * Returns the value of the contact form's option for each service, by service id. A service that is part of a larger
 * one has the option of the larger one.
 */
export function readInterestByService(): Record<string, string> {
  const files = new Map(readServiceFiles());
  return Object.fromEntries(
    [...files].map(([id, { partOf }]) => {
      const whole = partOf?.service ?? id;
      return [id, files.get(whole)?.inquiry?.value ?? whole];
    }),
  );
}

/** Reads the service files, in display order, without validation (see src/content.config.ts). */
function readServiceFiles(): [id: string, ServiceFile][] {
  // Browsers have no `node:fs`, so importing it would break the browser bundle, which includes this module.
  const { readdirSync, readFileSync } = globalThis.process.getBuiltinModule('node:fs');
  const folder = `${import.meta.dirname}/../../content/services`;
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name): [string, ServiceFile] => [
      name.slice(0, -'.json'.length),
      JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as ServiceFile,
    ])
    .toSorted(([, one], [, other]) => one.order - other.order);
}
