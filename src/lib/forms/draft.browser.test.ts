import { expect, test } from 'vitest';
import {
  enhance,
  field,
  fill,
  inquiry,
  send,
  textsOf,
  toastOf,
  valuesOf,
  useEnhancedForms,
} from '../../../tests/support/enhanced-forms.ts';

const forms = useEnhancedForms();
const { ready } = forms;

test('after a lost response, the same submission is sent again and stored once', async () => {
  const { page, section } = await ready({ expected: ['ERR_EMPTY_RESPONSE', 'status of 503'] });
  forms.server.moods.push({ cut: 'after' }, { status: 503 });
  await fill(section);
  await send(section).click();
  for (const title of ['Submission failed', 'Submission failed']) {
    expect((await textsOf(toastOf(page)))[0]).toBe(title);
    await toastOf(page).getByRole('button', { name: 'Try again' }).click();
  }
  await section.locator('[data-receipt]').waitFor();
  expect(forms.server.received).toHaveLength(3);
  expect(new Set(forms.server.received.map(({ key }) => key)).size).toBe(1);
  expect([...forms.server.stored.values()]).toEqual([{ reference: 'R-1' }]);
});

test('changed text is a new submission', async () => {
  const { page, section } = await ready({ expected: ['status of 500'] });
  forms.server.moods.push({ status: 500 });
  await fill(section);
  await send(section).click();
  await toastOf(page).waitFor();
  await field(section, 'message').fill('We need help with our books, and soon.');
  await send(section).click();
  await section.locator('[data-receipt]').waitFor();
  expect(new Set(forms.server.received.map(({ key }) => key)).size).toBe(2);
});

test('without a network, an inquiry is kept and sent when the network is back', async () => {
  const { page, section } = await ready({ expected: ['ERR_INTERNET_DISCONNECTED'] });
  await fill(section);
  await page.context().setOffline(true);
  await send(section).click();
  const [title, description, note] = await textsOf(toastOf(page));
  expect(title).toBe('Submission failed');
  expect(description).toBe('You’re offline.');
  expect(note).toBe('Your answers are saved. We’ll send them automatically when you’re back online.');
  await page.context().setOffline(false);
  await section.locator('[data-receipt]').waitFor();
  expect(forms.server.stored.size).toBe(1);
});

test('text that was changed later is not sent automatically', async () => {
  const { page, section } = await ready({ expected: ['ERR_INTERNET_DISCONNECTED'] });
  await fill(section);
  await page.context().setOffline(true);
  await send(section).click();
  await toastOf(page).waitFor();
  await field(section, 'message').fill('Half of a new tho');
  await page.context().setOffline(false);
  await page.waitForTimeout(200);
  expect(forms.server.received).toEqual([]);
});

test('text survives a reload, and sending it again is the same submission', async () => {
  const { page, section } = await ready({ expected: ['status of 500'] });
  forms.server.moods.push({ status: 500 });
  await fill(section);
  await page.locator('#form [name=website]').evaluate((element: HTMLInputElement) => {
    element.value = 'https://robot.example';
  });
  await send(section).click();
  await toastOf(page).waitFor();
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('robot');
  await page.reload();
  await enhance(page);
  expect(await valuesOf(section)).toMatchObject({ ...inquiry, website: '' });
  await send(section).click();
  await section.locator('[data-receipt]').waitFor();
  expect(new Set(forms.server.received.map(({ key }) => key)).size).toBe(1);
  expect(forms.server.received[0]?.body['website']).toBe('https://robot.example');
});

test('text that was typed before the script loaded takes precedence over stored text', async () => {
  const { page, section } = await ready();
  await fill(section, { fullName: 'Old Name', company: 'Old Company' });
  await page.reload();
  await field(section, 'fullName').fill('New Name');
  await enhance(page);
  expect(await valuesOf(section)).toMatchObject({ fullName: 'New Name', company: 'Old Company' });
});

test('after leaving and coming back, the page still has the text', async () => {
  const { page, section } = await ready();
  await fill(section);
  await page.goto('/?elsewhere');
  await enhance(page);
  expect(await valuesOf(section)).toMatchObject(inquiry);
});

test('with blocked storage, the form still works', async () => {
  const page = await forms.browser.newPage({ baseURL: forms.server.url });
  await page.addInitScript(() => {
    for (const name of ['sessionStorage', 'localStorage']) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('blocked', 'SecurityError');
        },
      });
    }
  });
  await page.goto('/');
  await enhance(page);
  const section = page.locator('#form form');
  await fill(section);
  await send(section).click();
  await section.locator('[data-receipt]').waitFor();
  expect(forms.server.stored.size).toBe(1);
});
