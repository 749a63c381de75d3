import { readInterestByService } from './offered-services.ts';

// Builds replace this constant with data (`serviceConstants`). The constant is not in offered-services.ts, because the
// admin's scripts use that module but do not need this data.
declare const INTEREST_BY_SERVICE: Readonly<Record<string, string>> | undefined;

const interestByService = typeof INTEREST_BY_SERVICE === 'undefined' ? readInterestByService() : INTEREST_BY_SERVICE;

/**
 * Returns the option that the contact form preselects for visitors from a service's page, or null for an unknown
 * service.
 */
export function serviceInterestOf(serviceId: string): string | null {
  return Object.hasOwn(interestByService, serviceId) ? interestByService[serviceId]! : null;
}
