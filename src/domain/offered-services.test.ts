import { expect, test } from 'vitest';
import { valueText } from './field.ts';
import { inquiryFields, serviceInterests } from './inquiry.ts';
import { offeredServices } from './offered-services.ts';
import { serviceInterestOf } from './service-interest.ts';

/** Expects `all` to contain `names` in this order. Other services, which the firm may add, are ignored. */
function specified<T>(all: readonly (readonly [string, T])[], names: readonly (readonly [string, T])[]) {
  expect(all.filter(([name]) => names.some(([known]) => known === name))).toEqual(names);
}

test('The contact form offers the specified services, in the specified order', () => {
  specified(
    serviceInterests.map(({ value, label }) => [value, label]),
    [
      ['digital-roadmap', 'Digital Roadmap Advisory'],
      ['project-recovery', 'Project Recovery'],
      ['implementation', 'Implementation'],
      ['development', 'Development & Integration'],
      ['support', 'Managed Services & Support'],
      ['other', 'Other'],
    ],
  );
});

test('A visitor who comes from a service finds it selected, or the service that includes it', () => {
  expect(serviceInterestOf('support')).toBe('support');
  expect(serviceInterestOf('project-rescue')).toBe('project-recovery');
  expect(serviceInterestOf('ecommerce-integrations')).toBe('development');
  expect(serviceInterestOf('payroll')).toBeNull();
});

test('The footer has the specified links to services', () => {
  specified(
    offeredServices.map(({ id, name }) => [id, name]),
    [
      ['digital-roadmap', 'Digital Roadmap'],
      ['project-rescue', 'Project Rescue'],
      ['implementation', 'Implementation'],
      ['development', 'Development'],
      ['support', 'Support'],
      ['ecommerce-integrations', 'E-Commerce Integrations'],
    ],
  );
});

test('An inquiry about a service that is no longer offered keeps its value as the label', () => {
  expect(valueText(inquiryFields.serviceInterest, 'payroll')).toBe('payroll');
});
