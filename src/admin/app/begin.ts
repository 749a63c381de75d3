import type { PostPage, PostSummary } from '../../domain/posts/post.ts';
import { postTime } from '../posts/post-time.ts';

/** The longest time in milliseconds that the app's code waits for the first rows. */
const patienceMs = 300;

// On a slow device, the app's code takes longer than the response with the first rows.
void Promise.race([
  showFirstRows().catch(() => undefined),
  new Promise((resolve) => setTimeout(resolve, patienceMs)),
]).then(() => import('./start.tsx'));

/**
 * Shows the first posts in the skeleton, with the HTML of `FirstScreen`. Resolves after they are painted. Until the app
 * replaces this HTML, its links work, and the other controls are inert.
 */
async function showFirstRows(): Promise<void> {
  const template = document.querySelector<HTMLTemplateElement>('#main > template');
  const response = await window.firstAnswers?.get(template?.dataset['path'] ?? '');
  if (!response?.ok) return;
  const { data: posts } = (await response.clone().json()) as PostPage;
  // If the app is faster, it has removed the template.
  if (!template?.isConnected || posts.length === 0) return;
  const screen = document.importNode(template.content, true);
  const body = screen.querySelector('tbody')!;
  const samples = [...body.rows];
  body.replaceChildren(...posts.slice(0, Number(template.dataset['rows'])).map((post) => rowOf(post, samples)));
  for (const control of screen.querySelectorAll<HTMLElement>('button, input, .cell-tools > *')) control.inert = true;
  // The numbers of the sample. The space keeps the height of the line.
  for (const number of screen.querySelectorAll('.figures, nav p')) number.textContent = '\u00a0';
  template.parentElement!.replaceChildren(template, screen);
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

function rowOf(post: PostSummary, samples: readonly HTMLElement[]): HTMLElement {
  const status = post.publishAt === null ? post.status : 'scheduled';
  const row = samples.find(({ dataset }) => dataset['row'] === status)!.cloneNode(true) as HTMLElement;
  row.dataset['row'] = post.id;
  const link = row.querySelector('a')!;
  link.setAttribute('href', `?${new URLSearchParams({ post: post.id })}`);
  link.textContent = post.title;
  row.querySelector('.cell-slug')!.textContent = `/blog/${post.slug}`;
  const { iso, text, label } = postTime(post);
  const time = row.querySelector('time')!;
  time.dateTime = iso;
  time.title = iso;
  time.textContent = text;
  row.querySelector('.cell-date')!.replaceChildren(label, time);
  return row;
}
