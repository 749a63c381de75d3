import type { Finder, Found } from '../browser/person.ts';
import { aPdf } from './files.ts';
import { anApplication } from './resumes.ts';

/** Returns the parts of the career form. */
export function applicationForm<Element extends Found<Element>>(page: Finder<Element>) {
  const field = (label: string) => page.getByLabel(label, { exact: true });
  return {
    field,
    choose: (bytes: Uint8Array = aPdf(), name = 'Mara Quill.pdf') =>
      field('Resume').setInputFiles({ name, mimeType: 'application/pdf', buffer: Buffer.from(bytes) }),
    send: () => page.getByRole('button', { name: 'Submit Application' }).click(),
    fill: async (changes: Parameters<typeof anApplication>[0]) => {
      const application = anApplication(changes);
      await field('Full name').fill(application.fullName);
      await field('Email').fill(application.email);
      await field('Phone (optional)').fill(application.phone);
      await field('Position (optional)').selectOption(application.position);
      await field('NetSuite experience (optional)').selectOption(application.experience);
      await field('Cover letter (optional)').fill(application.coverLetter);
    },
  };
}
