import { expect, test } from 'vitest';
import { uploadLimits } from '../../src/domain/submissions/upload.ts';
import { applicationForm } from '../support/samples/application-form.ts';
import { aPdf } from '../support/samples/files.ts';
import { anInquiry } from '../support/samples/inquiries.ts';
import { inquiryForm, readAWhile } from '../support/samples/inquiry-form.ts';
import { focusedId, focusedLabel, notice, useVisitors } from '../support/browser/journeys.ts';
import { useRelay } from '../support/servers/relay.ts';

const { site, hr, visit, emailTo } = useVisitors();
const relay = useRelay(site);

const lostConnection = [/request failed/, /Failed to load/, /Failed to fetch/, /ERR_/, /NetworkError/];

test('A client in an emergency checks the warning signs, and loses the connection, but no text and no inquiry', async () => {
  const page = await visit('/project-rescue', { baseURL: relay.url, device: 'phone', expected: lostConnection });
  const verdict = page.locator('main').getByRole('status');
  const says = (text: string) => expect.poll(() => verdict.innerText()).toContain(text);
  await says('If you have fewer, treat each sign as a problem of its own.');
  const sign = (name: string) => page.getByLabel(name);
  await sign('Milestones have moved').check();
  await sign('Teams keep their own').check();
  await says('No diagnosis needed yet.');
  await sign('The answer to every problem is custom code').check();
  await says('Your project needs a diagnosis');
  await sign('Teams keep their own').click();
  await says('No diagnosis needed yet.');
  await sign('The forecast is more than 50% over budget').check();
  await says('Your project needs a diagnosis');
  await page.getByRole('link', { name: 'Get Emergency Consultation' }).first().click();
  await page.waitForURL('**/contact?service=project-rescue#contact');
  const inquiry = inquiryForm(page);
  await expect.poll(() => inquiry.field('serviceInterest').inputValue()).toBe('project-recovery');

  await inquiry.fill(anInquiry({ company: 'Train Wi-Fi' }));
  await readAWhile(page);
  relay.cutNext(/^\/api\/contact/);
  await inquiry.send();
  await notice(page).getByText('Submission failed').waitFor();
  expect(relay.passed).not.toContain('POST /api/contact');
  await page.reload();
  await inquiry.enhanced();
  expect(await inquiry.field('company').inputValue()).toBe('Train Wi-Fi');
  relay.cutNext(/^\/api\/contact/, 'after');
  await inquiry.send();
  await notice(page).getByText('Submission failed').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await notice(page).getByText('Form submitted successfully!').waitFor();
  expect((await emailTo(site.firmAddress, 'Train Wi-Fi')).subject).toContain(await inquiry.reference());
  expect(site.mail.messages.filter(({ subject }) => subject?.includes('Train Wi-Fi'))).toHaveLength(1);
});

test('A visitor on a phone sends an inquiry in the contact widget, and the focus returns to its button', async () => {
  const page = await visit('/', { device: 'phone' });
  const panel = page.getByRole('dialog', { name: 'Start Transformation' });
  const button = page.getByRole('button', { name: 'Start Transformation' });
  const open = async () => {
    await button.click();
    await panel.waitFor();
    await page.waitForFunction(() => document.querySelector('#contact-panel')?.contains(document.activeElement));
  };
  const closed = async () => {
    await panel.waitFor({ state: 'hidden' });
    await expect.poll(() => focusedLabel(page)).toBe('Start Transformation');
  };
  await open();
  await page.keyboard.press('Escape');
  await closed();

  await open();
  const inquiry = inquiryForm(page, 'floating');
  await inquiry.enhanced();
  await inquiry.fill(anInquiry({ company: '' }));
  await readAWhile(page);
  await inquiry.send();
  await notice(page).getByText('Please fill in all fields').waitFor();
  await inquiry.errorAt('company').getByText('Company name is required.').waitFor();
  await expect.poll(() => focusedId(page)).toBe('floating-company');
  await page.keyboard.type('Panel Works');
  await inquiry.errorAt('company').waitFor({ state: 'hidden' });
  await inquiry.send();
  // The earlier notice may still be fading out.
  const success = notice(page).filter({ hasText: 'Message sent successfully!' });
  await success.waitFor();
  await closed();
  const reference = /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec((await success.textContent()) ?? '')?.[0] ?? '-';
  expect((await emailTo(site.firmAddress, 'Panel Works')).subject).toContain(reference);
});

test('An applicant with a wrong file, then with 4.8 MB and a lost connection, gets a reference', async () => {
  const expected = [...lostConnection, /400/];
  const page = await visit('/join-team', { baseURL: relay.url, device: 'phone', expected });
  const application = applicationForm(page);
  await application.fill({ fullName: 'Ida Quick' });
  await application.choose(aPdf(), 'resume.exe');
  await notice(page).getByText('Invalid file type').waitFor();
  await application.choose(aPdf(uploadLimits.resume + 1));
  await notice(page).getByText('Please upload a file smaller than 5MB.').waitFor();
  await application.send();
  await notice(page).getByText('Resume required').waitFor();
  await application.choose(Buffer.from('MZ this is a program'), 'resume.pdf');
  await page.getByText('resume.pdf').waitFor();
  await application.field('Full name').fill('');
  await application.send();
  await notice(page).getByText('Required fields missing').waitFor();
  await application.field('Full name').fill('Ida Quick');
  await readAWhile(page);
  await application.send();
  await notice(page).getByText('Please upload a PDF, DOC, or DOCX file for your resume.').waitFor();
  await page.getByText('Only PDF and DOC/DOCX files are allowed').waitFor();

  await application.choose(aPdf(4_800_000));
  await page.getByText('Mara Quill.pdf').waitFor();
  expect(await application.field('Full name').inputValue()).toBe('Ida Quick');
  relay.cutNext(/^\/api\/uploads\/[^/]+\/parts\/2$/);
  await application.send();
  await notice(page).getByText('Application submitted successfully!').waitFor();
  const parts = relay.passed.flatMap((line) => /\/parts\/(\d)$/.exec(line)?.[1] ?? []);
  expect(parts).toEqual(['1', '2']);
  const reference = (await page.locator('[data-receipt-reference]').textContent()) ?? '-';
  expect((await emailTo(hr, 'Ida Quick')).subject).toContain(reference);
  expect(await application.field('Full name').inputValue()).toBe('');
});
