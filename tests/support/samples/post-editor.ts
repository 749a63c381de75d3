import type { Locator, Page } from 'playwright';
import { apiPaths } from '../../../src/domain/api-paths.ts';
import type { PostRecord } from '../../../src/domain/posts/post.ts';
import type { PageOptions } from '../browser/browser.ts';
import { type Session, adminCall, signedIn, useAdmin } from './inbox.ts';
import type { Finder, Found } from '../browser/person.ts';
import type { Site } from '../host/site.ts';

/** Calls the API for posts as a signed-in admin in another client. */
export function postsApi(site: Site, session: Session) {
  const request = adminCall(site, session);
  const call = (path: string, method?: string, body?: object) => request(apiPaths.posts + path, method, body);
  let count = 0;
  return {
    create: (changes: Record<string, unknown> = {}): Promise<PostRecord> => {
      count += 1;
      const post = { title: `Post ${count}`, slug: `post-${count}`, content: '<p>First words.</p>', excerpt: 'Short.' };
      return call('', 'POST', { ...post, ...changes });
    },
    save: (post: PostRecord, changes: Record<string, unknown>): Promise<PostRecord> => {
      const { id, title, slug, content, revision } = post;
      return call(`/${id}`, 'PUT', { title, slug, content, revision, ...changes });
    },
    read: (id: string): Promise<PostRecord> => call(`/${id}`),
    list: (q: string): Promise<PostRecord[]> => call(`?q=${encodeURIComponent(q)}`),
  };
}

const rows = <Element extends Found<Element>>(page: Finder<Element>) =>
  page.getByRole('table', { name: 'Blog posts' }).locator('tbody tr');
const dialog = <Element extends Found<Element>>(page: Finder<Element>) =>
  page.getByRole('dialog', { name: /^(Create New|Edit) Blog Post$/ });

export const posts = {
  rows,
  row: <Element extends Found<Element>>(page: Finder<Element>, title: string) => rows(page).filter({ hasText: title }),
  dialog,
  text: <Element extends Found<Element>>(page: Finder<Element>) =>
    dialog(page).getByRole('textbox', { name: 'Content', exact: true }),
  saveButton: <Element extends Found<Element>>(page: Finder<Element>) =>
    dialog(page).getByRole('button', { name: /^(Create|Update) Post$/ }),
  /** Returns the name or label of the field or button that has the focus. */
  focusedName: (page: Pick<Page, 'evaluate'>) =>
    page.evaluate(
      () => document.activeElement?.getAttribute('name') ?? document.activeElement?.getAttribute('aria-label'),
    ),
  /** Returns what a screen reader says after the name of a field: its hint and its error. */
  descriptionOf: (field: Locator) =>
    field.evaluate((element) =>
      (element.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent)
        .join(' '),
    ),
  /** The text that says where the latest changes are saved. */
  kept: <Element extends Found<Element>>(page: Finder<Element>) => page.locator('.unsaved-line'),
  tool: <Element extends Found<Element>>(page: Finder<Element>, name: string) =>
    page.getByRole('toolbar', { name: 'Text' }).getByRole('button', { name, exact: true }),
};

/** Opens the list of posts, or one post, and waits until the page is ready. */
export async function visitPosts<Element extends Found<Element>>(
  page: Finder<Element> & { goto(path: string): Promise<unknown> },
  path = '/admin',
): Promise<void> {
  await page.goto(path);
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  if (path.includes('post=')) await posts.text(page).waitFor();
}

/** Opens a new post from the list. */
export async function beginPost<Element extends Found<Element>>(page: Finder<Element>): Promise<void> {
  await page.getByRole('button', { name: 'New post' }).first().click();
  await posts.text(page).waitFor();
}

/** Adds words at the end of the text. Playwright inserts them in one step, because each key takes 50 ms. */
export async function write(text: Locator, words: string): Promise<void> {
  await text.press('Control+End');
  await text.page().keyboard.insertText(words);
}

/** Provides what {@link useAdmin} provides, and pages with the list of posts or one post. */
export function usePosts() {
  const admin = useAdmin();
  const openPosts = async (path = '/admin', options: PageOptions = {}): Promise<Page> => {
    const page = await signedIn(admin.browser, admin.site, admin.session, options);
    await visitPosts(page, path);
    return page;
  };
  const openNewPost = async (options: PageOptions = {}) => {
    const page = await openPosts('/admin', options);
    await beginPost(page);
    return page;
  };
  const openPost = (id: string, options: PageOptions = {}) => openPosts(`/admin?post=${id}`, options);
  return { ...admin, api: postsApi(admin.site, admin.session), openPosts, openNewPost, openPost };
}
