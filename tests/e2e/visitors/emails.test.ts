import { beforeEach, expect, test } from 'vitest';
import { faultsOf } from '../../support/browser/accessibility.ts';
import { useBrowser } from '../../support/browser/browser.ts';
import { everyEmail } from '../../support/api/every-email.ts';

const browser = useBrowser();
let emails: Awaited<ReturnType<typeof everyEmail>>;
beforeEach(async () => {
  emails ??= await everyEmail();
});

/** Accessibility rules that apply only to whole pages. An email program shows an email inside its own page. */
const aboutPages = /: (landmark-one-main|page-has-heading-one|region) /;

test('In every email program, every email fits, loads nothing and is accessible in both color schemes', async () => {
  const page = await browser.newPage();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  expect(emails.size).toBeGreaterThan(5);
  for (const [subject, { html }] of emails) {
    await page.setContent(String(html));
    for (const width of [700, 360]) {
      await page.setViewportSize({ width, height: 900 });
      const { overflow, preheader, targets } = await page.evaluate(() => ({
        overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        preheader: document.querySelector('body > div')!.getBoundingClientRect().height,
        targets: [...document.querySelectorAll('.action')].map((action) => action.getBoundingClientRect().height),
      }));
      expect([overflow, preheader], subject).toEqual([0, 0]);
      for (const height of targets) expect(height, subject).toBeGreaterThanOrEqual(44);
    }
    for (const [colorScheme, background] of [
      ['light', 'rgb(252, 250, 244)'],
      ['dark', 'rgb(24, 34, 28)'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      const sheet = page.locator('.sheet');
      expect(await sheet.evaluate((part) => getComputedStyle(part).backgroundColor), subject).toBe(background);
      // A scheme changes only the colors, so the other rules are checked once.
      const rules = colorScheme === 'dark' ? { only: ['color-contrast-enhanced'] } : {};
      const faults = (await faultsOf(page, rules)).filter((fault) => !aboutPages.test(fault));
      expect(faults, subject).toEqual([]);
    }
  }
  expect(requests).toEqual([]);
});

test('In an email program without styles an email reads from the greeting to the signature', async () => {
  const page = await browser.newPage({ viewport: { width: 360, height: 900 } });
  const [, inquiry] = [...emails].find(([subject]) => subject.startsWith('New inquiry'))!;
  await page.setContent(String(inquiry.html).replaceAll(/ style="[^"]*"|<style>.*?<\/style>/gs, ''));
  const words = await page.evaluate(() => document.body.innerText);
  expect(words).toMatch(
    /Southbay ERP\s+Hello,\s+You have a new inquiry[^]*Reference\s+[0-9A-Z-]{9}\s[^]*Message\s+Our go-live[^]*Open the inquiry[^]*automatically/,
  );
});
