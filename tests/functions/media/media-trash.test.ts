import { describe, expect, test } from 'vitest';
import { aPdf, aPhotograph } from '../../support/samples/files.ts';
import { useMediaLibrary } from '../../support/samples/media-library.ts';
import { aPost } from '../../support/samples/posts.ts';
import { multipart } from '../../support/api/multipart.ts';

const { site, ask, fetchFile, list, upload } = useMediaLibrary();

describe('A deleted file', () => {
  test('is gone from its URL and the list, and is restored unchanged, each once even if the request is repeated', async () => {
    const file = await upload('a.pdf', aPdf());
    const deleted = await ask(`/${file.id}`, { method: 'DELETE' });
    expect(await deleted.json()).toEqual({ success: true, usedIn: [] });
    expect((await fetchFile(file.url)).status).toBe(404);
    expect((await list()).data).toEqual([]);
    expect((await ask(`/${file.id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await ask('/unknown', { method: 'DELETE' })).status).toBe(404);
    const restored = await ask(`/${file.id}/restore`, { method: 'POST' });
    expect((await restored.json()).data).toEqual(file);
    expect((await ask(`/${file.id}/restore`, { method: 'POST' })).status).toBe(200);
    expect((await fetchFile(file.url)).status).toBe(200);
    expect((await site.activity()).map(({ action }) => action)).toEqual([
      'restored the file',
      'deleted the file',
      'uploaded the file',
    ]);
  });

  test('names the home text, the post and the draft that use it, unless the post is in the trash too', async () => {
    const file = await upload('a.png', await aPhotograph('png'));
    const { sections, unsaved } = site.services.stores;
    const at = '2026-03-02T18:30:00.000Z';
    const section = { title: 'Our way', content: `<a href="${file.url}">`, metadata: '' };
    await sections.put('about_description', section, at);
    const draft = { by: 'a@firm.example', base: null, older: null, updatedAt: at };
    const text = { title: 'Half written', featuredImage: file.url };
    await unsaved.put({ kind: 'post', id: 'new-1' }, { ...draft, text });
    await unsaved.put({ kind: 'post', id: 'new-2' }, { ...draft, text: {} });
    const json = aPost({ title: 'The year in numbers', content: `<p><img src="${file.url}" alt=""></p>` });
    const { id } = await (await site.admin('/api/cms/blog-posts', { json })).json();
    const others = [
      { kind: 'section', id: 'about_description', title: 'Our way' },
      { kind: 'draft', id: 'new-1', title: 'Half written' },
    ];
    const { usedIn } = await (await ask(`/${file.id}`)).json();
    expect(usedIn).toHaveLength(3);
    expect(usedIn).toEqual(expect.arrayContaining([{ kind: 'post', id, title: 'The year in numbers' }, ...others]));
    await site.admin(`/api/cms/blog-posts/${id}`, { method: 'DELETE' });
    const deleted = await (await ask(`/${file.id}`, { method: 'DELETE' })).json();
    expect(deleted.usedIn).toHaveLength(2);
    expect(deleted.usedIn).toEqual(expect.arrayContaining(others));
  });

  test('is deleted permanently after 30 days, and its bytes with the last file that has them', async () => {
    const one = await upload('one.pdf', aPdf());
    const two = await upload('two.pdf', aPdf());
    const stored = async () => (await site.blobs('media').list()).blobs.length;
    expect(await stored()).toBe(1);
    const minute = () => site.tick();
    await ask(`/${one.id}`, { method: 'DELETE' });
    site.advance(31 * 24 * 60 * 60_000);
    await site.renewSession();
    await minute();
    expect((await ask(`/${one.id}/restore`, { method: 'POST' })).status).toBe(404);
    expect(await stored()).toBe(1);
    await ask(`/${two.id}`, { method: 'DELETE' });
    await site.passTime(31 * 24 * 60 * 60_000);
    await minute();
    expect(await stored()).toBe(0);
  });

  test('keeps its bytes if someone uploads the same file at the moment of the deletion', async () => {
    const file = await upload('one.pdf', aPdf());
    await ask(`/${file.id}`, { method: 'DELETE' });
    site.advance(31 * 24 * 60 * 60_000);
    await site.renewSession();
    const { services } = site;
    const store = site.blobs('media');
    // The job empties the trash after the upload has found that the bytes are already stored.
    const set = async (...given: Parameters<typeof store.set>) => {
      const written = await store.set(...given);
      await services.stores.media.removeTrash(services.now().toISOString());
      return written;
    };
    const blobs = (name: string) =>
      name === 'media' ? Object.assign(Object.create(store) as typeof store, { set }) : site.blobs(name);
    const sent = await multipart({ file: new File([aPdf()], 'two.pdf') });
    const { data } = await (await site.admin('/api/cms/media', sent, site.anotherProcess({ blobs }))).json();
    expect((await fetchFile(data.url)).status).toBe(200);
  });
});
